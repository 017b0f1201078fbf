interface Configuration {
  /** Base of every call, without a slash at its end. */
  apiUrl: string;
  /** Address of the demonstration's own page; null when this is no demonstration. */
  demoUrl: string | null;
  /** Who runs this installation; null when it was not said. */
  operatorName: string | null;
  /** Banks are linked on a page of the installation's service… */
  hasBankPage: boolean;
  /** …and by forms, each with what only that person has. */
  hasBankForms: boolean;
  /** The kinds of chats that are offered, the usual one first. */
  chats: string[];
}

/** What the server wrote into the page's `<meta name="tirelire">`. */
export const configuration: Configuration = readConfiguration();

function readConfiguration(): Configuration {
  const data = document.querySelector<HTMLMetaElement>('meta[name="tirelire"]')?.dataset;
  return {
    apiUrl: (data?.apiUrl || '/api').replace(/\/+$/, ''),
    demoUrl: data?.demo || null,
    operatorName: data?.operator || null,
    hasBankPage: data?.banks !== 'forms',
    hasBankForms: data?.banks !== 'page',
    chats: data?.chats?.split(' ') ?? [],
  };
}
