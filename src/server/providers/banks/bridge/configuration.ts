export interface BridgeConfiguration {
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  webhookSecrets: string[];
}
