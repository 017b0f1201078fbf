export interface SlackConfiguration {
  /** With a trailing slash. */
  apiUrl: string;
  authorizeUrl: string;
  /** `bot` selects the classic pair (oauth.access), anything else the granular one (oauth.v2.access). */
  scope: string;
  clientId: string;
  clientSecret: string;
  signingSecrets: string[];
}
