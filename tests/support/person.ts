export interface Answer {
  method: string;
  /** Under /api, with its query. */
  path: string;
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer is made of.
  body: any;
}

export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Whatever else a client may send: other headers, a body that is no JSON. */
  send(method: string, path: string, request?: RequestInit): Promise<Answer>;
  /** The same client with this session. */
  as(token: string): Client;
}

/** A signed-in person. */
export interface Person extends Client {
  id: string;
  token: string;
  details: { email: string; password: string; firstname: string; lastname: string };
}

export function connect(
  url: string,
  record: (answer: Answer) => void,
  token: string | null = null,
): Client {
  const session = token ? { authorization: `Bearer ${token}` } : {};
  const send: Client['send'] = async (method, path, request = {}) => {
    const headers = { ...session, ...Object(request.headers) };
    const response = await fetch(`${url}/api${path}`, {
      redirect: 'manual',
      ...request,
      method,
      headers,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body = isJson ? JSON.parse(text) : text;
    const answer = { method, path, status: response.status, headers: response.headers, body };
    record(answer);
    return answer;
  };
  const sendJson = (method: string, path: string, body?: unknown) =>
    send(method, path, body === undefined ? {} : json(body));
  return {
    get: (path) => send('GET', path),
    post: (path, body) => sendJson('POST', path, body),
    put: (path, body) => sendJson('PUT', path, body),
    patch: (path, body) => sendJson('PATCH', path, body),
    delete: (path) => send('DELETE', path),
    send,
    as: (other) => connect(url, record, other),
  };
}

let people = 0;

export async function signUp(
  visitor: Client,
  given: Partial<Person['details']> = {},
): Promise<Person> {
  people += 1;
  const details = {
    email: `personne${people}@exemple.fr`,
    password: 'huit petits nuages roses',
    firstname: 'Ana',
    lastname: 'Durand',
    ...given,
  };
  const created = await visitor.post('/users', { ...details, cguValidated: true });
  if (created.status !== 201) throw new Error(`sign-up: ${created.status} ${created.body?.code}`);
  const { email, password } = details;
  const { body } = await visitor.post('/accounts/login', { email, password });
  return { ...visitor.as(body.token), id: created.body.id, token: body.token, details };
}

function json(body: unknown): RequestInit {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
