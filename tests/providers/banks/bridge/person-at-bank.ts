type Form = Record<string, string | undefined>;

/** A person at the bank's pages: fills in each form in turn, and ends where the last one leads. */
export async function completeForms(url: string, forms: Form[]): Promise<string> {
  let location = url;
  for (const form of forms) {
    const page = await (await fetch(location)).text();
    const response = await fetch(location, {
      method: 'POST',
      redirect: 'manual',
      body: fill(form, page),
    });
    if (response.status !== 303) throw new Error(`the page answered ${response.status}`);
    location = new URL(response.headers.get('location') ?? '', location).href;
  }
  return location;
}

/** `account: 'all'` leaves every box as the page offers it. */
function fill(form: Form, page: string): URLSearchParams {
  const filled = new URLSearchParams();
  for (const [name, value] of Object.entries(form))
    if (value !== undefined) filled.set(name, value);
  if (form.account !== 'all') return filled;
  filled.delete('account');
  for (const [, id] of page.matchAll(/name="account" value="(\d+)" checked/g)) {
    filled.append('account', id ?? '');
  }
  return filled;
}
