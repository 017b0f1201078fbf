/**
 * A person's text as Slack's `text` argument. The three signs are Slack's only way into a mention
 * (`<!channel>`), so escaped they are shown as typed and nobody is called; `*bold*`, `_italic_` and
 * the like keep their effect. Source: docs.slack.dev/messaging/formatting-message-text.
 */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
