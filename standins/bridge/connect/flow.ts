import { hourMs } from '../../service/durations.ts';
import { isFromOwnPage, mediaType, type Request } from '../../service/request.ts';
import { type Answer, page, redirect } from '../../service/responses.ts';
import { findBank } from '../banks.ts';
import { sendRefreshEvents } from '../events.ts';
import { applyLogin, createItem, removeItem, validatePro } from '../items.ts';
import { type Outcome, outcomeOf, planOf } from '../logins.ts';
import type { Standin } from '../standin.ts';
import { accountsOf, type Item, type Session } from '../state.ts';
import { lostPage, pageOf } from './pages.ts';

type Step = (standin: Standin, session: Session, form: URLSearchParams) => string | null;

const sessionLifeMs = hourMs;

/** `/session/<id>`: GET shows the step, POST takes it further and redirects. */
export function answerConnect(standin: Standin, request: Request): Answer {
  const id = /^\/session\/([0-9a-f-]{36})$/.exec(request.path)?.[1];
  const session = id ? findSession(standin, id) : null;
  if (!session) return page(404, lostPage());
  if (request.method === 'GET') return show(standin, session);
  const isForm = mediaType(request) === 'application/x-www-form-urlencoded';
  if (request.method !== 'POST' || !isForm || !isFromOwnPage(request)) return page(403, lostPage());
  const form = new URLSearchParams(request.text);
  const leaving = session.step === 'done' ? null : advance(standin, session, form);
  standin.changed();
  return redirect(leaving ?? request.path);
}

function show({ state }: Standin, session: Session): Answer {
  const accounts = session.itemId === null ? [] : accountsOf(state, session.itemId);
  return page(200, pageOf({ session, bank: findBank(session.providerId), accounts }));
}

function findSession({ state, options }: Standin, id: string): Session | null {
  const session = Object.hasOwn(state.sessions, id) ? state.sessions[id] : undefined;
  if (!session) return null;
  const age = options.clock.now().getTime() - new Date(session.createdAt).getTime();
  return age <= sessionLifeMs ? session : null;
}

/** Takes a session one step on. Returns where the browser leaves to, or null while it stays. */
function advance(standin: Standin, session: Session, form: URLSearchParams): string | null {
  session.fault = null;
  if (form.get('action') === 'cancel') return cancel(standin, session);
  return steps[session.step](standin, session, form);
}

const steps: Record<Session['step'], Step> = {
  banks: (_standin, session, form) => {
    session.providerId = findBank(Number(form.get('bank')))?.id ?? null;
    if (session.providerId !== null) session.step = 'login';
    return null;
  },
  login: (standin, session, form) => {
    if (form.get('action') === 'back') return toBanks(session);
    session.login = (form.get('login') ?? '').trim().slice(0, 60);
    if (session.login === '') return stay(session, 'Indiquez un identifiant.');
    const { proof } = firstOutcome(session);
    if (proof === 'otp' || proof === 'otp_fail') session.step = 'otp';
    else if (proof === 'app' || proof === 'app_expiry') session.step = 'app';
    else connect(standin, session);
    return null;
  },
  otp: proofStep('otp_fail', 'Ce code est refusé. Réessayez.'),
  app: proofStep('app_expiry', 'La demande a expiré avant votre accord. Réessayez.'),
  accounts: (standin, session, form) => {
    const item = itemOf(standin, session);
    const chosen = new Set(form.getAll('account'));
    if (!item || chosen.size === 0) return stay(session, 'Choisissez au moins un compte.');
    for (const account of accountsOf(standin.state, item.id)) {
      account.shared = chosen.has(String(account.id));
    }
    sendRefreshEvents(standin, item, !session.repair);
    return leave(session, { success: true });
  },
  problem: (_standin, session, form) => {
    if (form.get('action') === 'back') session.step = 'login';
    else return leave(session, { success: false, step: 'sync_error' });
    return null;
  },
  pro: (standin, session, form) => {
    const item = itemOf(standin, session);
    const isFilled = ['company', 'person'].every((name) => (form.get(name) ?? '').trim() !== '');
    if (!item || !isFilled) return stay(session, "Indiquez l'entreprise et votre nom.");
    validatePro(item, standin.options.clock.now(), standin.options.syncMs);
    sendRefreshEvents(standin, item, false);
    return leave(session, { success: true });
  },
  done: () => null,
};

/** The bank asks for a proof, which is refused when the login's outcome is `refused`. */
function proofStep(refused: Outcome['proof'], fault: string): Step {
  return (standin, session) => {
    if (firstOutcome(session).proof === refused) return stay(session, fault);
    connect(standin, session);
    return null;
  };
}

/** A session repaired without a login form (SCA alone) renews what there is. */
function firstOutcome(session: Session): Outcome {
  return outcomeOf(planOf(session.login || 'success')[0] ?? 'success');
}

/** The login is known: the item takes its state, and its accounts wait to be chosen. */
function connect(standin: Standin, session: Session): void {
  const { state, options } = standin;
  const login = session.login || 'success';
  const given = { login, syncMs: options.syncMs, now: options.clock.now() };
  const known = itemOf(standin, session);
  const item =
    known ??
    createItem(state, {
      ...given,
      userUuid: session.userUuid,
      providerId: session.providerId ?? 0,
    });
  if (known) {
    known.syncing = session.repair ? -3 : -2;
    applyLogin(state, known, given);
  }
  session.itemId = item.id;
  if (firstOutcome(session).hasAccounts) {
    session.step = 'accounts';
  } else {
    session.step = 'problem';
    session.fault = problems[item.status] ?? 'La banque ne permet pas cette connexion.';
    sendRefreshEvents(standin, item, !session.repair);
  }
}

const problems: Record<number, string> = {
  402: 'La banque refuse ces identifiants.',
  429: 'La banque attend une action de votre part sur son propre site.',
  1005: "Ce mode de connexion n'est pas pris en charge.",
};

function itemOf({ state }: Standin, session: Session): Item | null {
  const item = session.itemId === null ? undefined : state.items[session.itemId];
  return item?.userUuid === session.userUuid ? item : null;
}

function toBanks(session: Session): null {
  if (!session.repair) {
    session.step = 'banks';
    session.providerId = null;
  }
  return null;
}

function stay(session: Session, fault: string): null {
  session.fault = fault;
  return null;
}

/** What was begun and not confirmed is not kept; what failed at the bank is. */
function cancel(standin: Standin, session: Session): string | null {
  const step = namesOfSteps[session.step];
  const item = itemOf(standin, session);
  if (item && session.step === 'accounts' && !session.repair) {
    removeItem(standin.state, item);
    session.itemId = null;
  }
  return leave(session, { success: false, step });
}

const namesOfSteps: Record<Session['step'], string> = {
  banks: 'highlighted_banks',
  login: 'bank_creds_form',
  otp: 'otp_form',
  app: 'otp_form',
  accounts: 'bank_creds_form',
  problem: 'sync_error',
  pro: 'pro_validation_form',
  done: 'sync_success',
};

/** docs.bridgeapi.io/docs/end-of-the-connect-flow */
function leave(session: Session, end: { success: boolean; step?: string }): string | null {
  session.step = 'done';
  session.fault = end.success ? 'Votre banque est reliée.' : "Rien n'a été modifié.";
  if (session.callbackUrl === null) return null;
  const url = new URL(session.callbackUrl);
  url.searchParams.set('user_uuid', session.userUuid);
  if (session.itemId !== null) url.searchParams.set('item_id', String(session.itemId));
  url.searchParams.set('success', String(end.success));
  if (end.step) url.searchParams.set('step', end.step);
  url.searchParams.set('source', 'connect');
  if (session.context !== null) url.searchParams.set('context', session.context);
  return url.href;
}
