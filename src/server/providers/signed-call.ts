/** A request as it came: a signature is over the bytes. */
export interface SignedCall {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}
