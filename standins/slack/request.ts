import { fieldsOf, header, mediaType, type Request, readJson } from '../service/request.ts';

/** A request with its arguments, from the query, a form or a JSON object, the last winning. */
export interface Call {
  verb: string;
  path: string;
  args: Record<string, unknown>;
  /**
   * From the Authorization header or the field of a form: in an address it counts for nothing, and
   * beside JSON it has to stand in the header (docs.slack.dev/apis/web-api).
   */
  token: string | null;
  /** What stood after `Basic` in the Authorization header. */
  basic: string | null;
  bodyError: BodyError | null;
  /** Epoch ms with fractions: when the request's head had arrived. */
  receivedAt: number;
}

type BodyError = 'invalid_json' | 'json_not_object' | 'missing_post_type' | 'invalid_post_type';

export function callOf(request: Request): Call {
  const body = readBody(request);
  const authorization = header(request, 'authorization');
  const bearer = authorization.startsWith('Bearer ') ? authorization.slice(7) : null;
  const basic = authorization.startsWith('Basic ') ? authorization.slice(6) : null;
  const { query } = request;
  return {
    verb: request.method,
    path: request.path,
    args: query.size > 0 ? { ...fieldsOf(query), ...body.args } : body.args,
    token: bearer ?? body.token,
    basic,
    bodyError: body.error,
    receivedAt: request.receivedAt,
  };
}

interface Body {
  args: Record<string, unknown>;
  token: string | null;
  error: BodyError | null;
}

function readBody(request: Request): Body {
  const nothing = { args: {}, token: null };
  if (request.text === '') return { ...nothing, error: null };
  const type = mediaType(request);
  if (type === 'application/x-www-form-urlencoded') {
    const { token = null, ...args } = fieldsOf(new URLSearchParams(request.text));
    return { args, token, error: null };
  }
  if (type !== 'application/json') {
    return { ...nothing, error: type === '' ? 'missing_post_type' : 'invalid_post_type' };
  }
  const json = readJson(request);
  if ('fault' in json) return { ...nothing, error: json.fault };
  return { args: json.value, token: null, error: null };
}

/** An argument as text; a JSON number counts, anything else is empty. */
export function text(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

export function flag(args: Record<string, unknown>, name: string): boolean {
  const value = args[name];
  return value === true || value === 'true' || value === '1';
}
