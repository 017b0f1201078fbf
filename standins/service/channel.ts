/** A channel of a chat, with the address that leads there. */
export interface Channel {
  id: string;
  name: string;
  /** The secret part of its address. */
  key: string;
  /** What its owner did with it; the chat knows the words. `open` at first. */
  state: string;
  messages: PostedMessage[];
}

/** A message as it was posted. */
export interface PostedMessage {
  id: string;
  /** ISO 8601. */
  at: string;
  body: Record<string, unknown>;
}
