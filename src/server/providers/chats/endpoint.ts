/** An address of ours that a provider, or a browser sent back by it, calls. */
export interface Endpoint {
  /** Below /api. Published ones are frozen. */
  path: string;
  /** French, for the documentation of the API. */
  summary: string;
}
