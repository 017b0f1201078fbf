import { BankSourceError } from '../failures.ts';
import { type Caller, sentences } from './calls.ts';
import { type Application, readKey } from './keys.ts';

/** What people read and give before their first bank. */
export const form = {
  steps: (callbackUrl: string) => [
    'Enable Banking est gratuit pour vos propres comptes de particulier. Ses conditions excluent les comptes professionnels, et le partage entre plusieurs personnes.',
    `Dans votre espace Enable Banking (https://enablebanking.com/cp/applications), créez une application «\u202fProduction\u202f» avec cette adresse de retour\u202f: ${callbackUrl}`,
    "Gardez le fichier .pem qui est alors téléchargé, puis activez l'application en y reliant vos comptes («\u202fActivate by linking accounts\u202f»)\u202f: seuls ceux-là pourront être lus.",
    "Donnez ici l'identifiant de l'application et sa clé. Tirelire les garde chiffrés, lit vos soldes et rien d'autre.",
  ],
  fields: [
    {
      name: 'applicationId',
      label: "Identifiant de l'application",
      secret: false,
      pattern: '\\s*[0-9A-Za-z][0-9A-Za-z\\-]{7,99}\\s*',
      help: 'Une suite comme 4b1d6f0a-3c58-4f7e-9d42-8a6c1e5b7f93, aussi le nom du fichier .pem.',
    },
    {
      name: 'privateKey',
      label: 'Clé privée',
      secret: true,
      pattern: '[\\s\\S]{1,9000}',
      help: "Le fichier .pem téléchargé à la création de l'application, ou son contenu.",
      file: '.pem,.key',
    },
  ],
};

/** `GET /application` proves the id and the key, and says whether they can be used here. */
export async function verifyApplication(
  call: Caller,
  { applicationId = '', privateKey = '' }: Record<string, string>,
  callbackUrl: string,
): Promise<Application> {
  const application = { id: applicationId.trim(), key: readKey(privateKey) };
  const told = await call(application, { method: 'GET', path: '/application' });
  const { active, services, redirect_urls: addresses } = told;
  if (active === false) throw refused(sentences.inactive);
  if (Array.isArray(services) && !services.includes('AIS')) {
    throw refused("Cette application n'a pas le droit de lire des comptes (service AIS).");
  }
  if (!Array.isArray(addresses) || !addresses.includes(callbackUrl)) {
    throw refused(
      `Dans cette application, ajoutez exactement l'adresse de retour ${callbackUrl}, puis recommencez.`,
    );
  }
  return application;
}

function refused(sentence: string): BankSourceError {
  return new BankSourceError('credentials', 'An application that cannot be used', { sentence });
}
