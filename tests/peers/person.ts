/** One person's browser, as far as the API sees it. */
export interface Person {
  id: string;
  email: string;
  get(path: string): Promise<Told>;
  post(path: string, body?: unknown): Promise<Told>;
  patch(path: string, body: unknown): Promise<Told>;
  delete(path: string): Promise<Told>;
}

export interface Told {
  status: number;
  body: Record<string, unknown>;
}

/** Signs up and logs in at `url`. */
export async function newPerson(url: string, email: string): Promise<Person> {
  const password = 'les tortues volent bas';
  const names = { firstname: 'Zoé', lastname: 'Dupont', cguValidated: true };
  const user = await ask(url, 'POST', '/users', null, { email, password, ...names });
  const session = await ask(url, 'POST', '/accounts/login', null, { email, password });
  const token = String(session.body.token);
  return {
    id: String(user.body.id),
    email,
    get: (path) => ask(url, 'GET', path, token),
    post: (path, body) => ask(url, 'POST', path, token, body),
    patch: (path, body) => ask(url, 'PATCH', path, token, body),
    delete: (path) => ask(url, 'DELETE', path, token),
  };
}

async function ask(
  url: string,
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
): Promise<Told> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // Whatever the peers do, an answer that blames ourselves is a fault of ours.
  if (response.status === 500) throw new Error(`${method} ${path} answered 500: ${text}`);
  return { status: response.status, body: text ? JSON.parse(text) : {} };
}

/** Follows one redirection by hand: gives where the browser is sent next, and the page it shows. */
export async function follow(address: string): Promise<{ next: string | null; page: string }> {
  const response = await fetch(address, { redirect: 'manual' });
  return { next: response.headers.get('location'), page: await response.text() };
}
