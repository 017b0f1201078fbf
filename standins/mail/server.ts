import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as its reader has it. */
export interface ParsedMail {
  from: string;
  /** Everyone whom the sender named to the server. */
  recipients: string[];
  to: string;
  subject: string;
  /** The part without HTML. */
  body: string;
  /** With its pictures inside; null for a mail of text alone. */
  html: string | null;
  /** By name, in lower case. */
  headers: Record<string, string>;
}

/** Something that goes wrong on purpose at one step of a conversation. */
export interface MailFault {
  /** `data`: while the mail itself arrives. `end`: after its last dot. */
  at: 'connection' | 'login' | 'sender' | 'recipient' | 'data' | 'end';
  /**
   * The server's answer, such as `550 5.1.1 Unknown user`, or one of several lines; one without a code is
   * the last of the conversation. Without an answer the connection breaks.
   */
  answer?: string;
  /** The server is silent for so long first. */
  ms?: number;
  /** At `end`: the mail is kept although the answer is lost or wrong. */
  kept?: boolean;
  /** Only for mails to this address. */
  to?: string;
  /** Default once; null for ever. */
  times?: number | null;
}

export interface MailStandin {
  /** With the name and the password that it takes. */
  smtpUrl: string;
  port: number;
  /** Oldest first. */
  mails: ParsedMail[];
  /** How many were opened since `clear`. */
  readonly connections: number;
  addFault(fault: MailFault): void;
  /** As a server does that is started again: the next mail comes over a new one. */
  endConnections(): void;
  clear(): void;
  close(): Promise<void>;
}

const login = { user: 'tirelire', password: 'demonstration' };

export interface MailStandinOptions {
  port?: number;
  onMail?: (mail: ParsedMail) => Promise<void>;
  /** Takes mails without a look inside, as most mail servers do, and keeps none. */
  isRelay?: boolean;
  /** Takes each command after the answer to the one before, as servers without RFC 2920 do. */
  isStepwise?: boolean;
}

/** An SMTP server on this machine alone, which delivers nothing: `onMail` is told of each mail. */
export async function startMailStandin(options: MailStandinOptions = {}): Promise<MailStandin> {
  const context: Context = { options, mails: [], faults: [], sockets: new Map() };
  const { mails, faults, sockets } = context;
  let connections = 0;
  const server = new SMTPServer({
    banner: 'Courrier de demonstration',
    size: 10 * 1024 * 1024,
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    hidePIPELINING: options.isStepwise ?? false,
    logger: false,
    ...handlersOf(context),
  });
  // Its own errors are of connections that broke, which is what tests ask for.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    connections += 1;
    keepSocket(context, socket);
  });
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  const { port } = server.server.address() as AddressInfo;
  return {
    smtpUrl: `smtp://${login.user}:${login.password}@127.0.0.1:${port}`,
    port,
    mails,
    get connections() {
      return connections;
    },
    addFault: (fault) => void faults.push({ times: 1, ...fault }),
    endConnections() {
      for (const socket of sockets.values()) socket.end();
    },
    clear() {
      mails.length = 0;
      faults.length = 0;
      connections = 0;
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(done));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}

interface Context {
  options: MailStandinOptions;
  mails: ParsedMail[];
  faults: MailFault[];
  /** The open connections, by the port of the sender. */
  sockets: Map<number, Socket>;
}

/** What the server answers at each step of a conversation. */
function handlersOf(context: Context): SMTPServerOptions {
  return {
    onConnect: (session, next) =>
      void applyFault(context, 'connection', faultContextOf(session), next),
    onAuth: ({ username, password }, session, next) => {
      const isKnown = username === login.user && password === login.password;
      const refused = Object.assign(new Error('5.7.8 Authentication failed'), {
        responseCode: 535,
      });
      void applyFault(context, 'login', faultContextOf(session), (error) =>
        error || !isKnown ? next(error ?? refused) : next(null, { user: username }),
      );
    },
    onMailFrom: (_address, session, next) =>
      void applyFault(context, 'sender', faultContextOf(session), next),
    onRcptTo: ({ address }, session, next) =>
      void applyFault(
        context,
        'recipient',
        { ...faultContextOf(session), addresses: [address] },
        next,
      ),
    onData: (...given) => receive(context, ...given),
  };
}

/** Keeps the mail, unless it is to be lost, and answers. */
function receive(
  context: Context,
  ...[stream, session, next]: Parameters<NonNullable<SMTPServerOptions['onData']>>
): void {
  const { faults, mails, options } = context;
  const { onMail, isRelay = false } = options;
  const chunks: Buffer[] = [];
  const known = faultContextOf(session);
  const isBroken = faults.some((fault) => fits(fault, 'data', known));
  stream.on('data', (chunk: Buffer) => {
    if (isBroken) void applyFault(context, 'data', known, () => {});
    else if (!isRelay) chunks.push(chunk);
  });
  stream.on('end', async () => {
    if (isBroken) return;
    const fault = faults.find((one) => fits(one, 'end', known));
    if (!isRelay && (!fault || fault.kept)) {
      const mail = await readMail(Buffer.concat(chunks), session);
      mails.push(mail);
      await onMail?.(mail);
    }
    await applyFault(context, 'end', known, next);
  });
}

/** Goes on where nothing is to go wrong at this step. */
async function applyFault(
  { faults, sockets }: Context,
  at: MailFault['at'],
  known: FaultContext,
  next: (error?: Error | null) => void,
): Promise<void> {
  const fault = takeFault(faults, at, known);
  if (!fault) return next();
  if (fault.ms) await wait(fault.ms);
  if (fault.ms && !fault.answer) return next();
  const socket = sockets.get(known.remotePort);
  if (!fault.answer) return void socket?.destroy();
  if (!/^\d{3}/.test(fault.answer)) return void socket?.end(`${fault.answer}\r\n`);
  next(refusalOf(fault.answer));
}

function keepSocket({ sockets }: Context, socket: Socket): void {
  const { remotePort = 0 } = socket;
  sockets.set(remotePort, socket);
  // The answers to commands that came together leave together (RFC 2920 §3.2).
  socket.on('data', () => {
    socket.cork();
    setImmediate(() => socket.uncork());
  });
  socket.once('close', () => sockets.delete(remotePort));
}

/** The library writes a message that is a list as an answer of several lines. */
function refusalOf(answer: string): Error {
  const lines = answer.split('\n').map((line) => line.slice('550 '.length));
  const [message] = lines;
  const responseCode = Number(answer.slice(0, 3));
  return Object.assign(new Error(), { responseCode, message: lines.length > 1 ? lines : message });
}

type Session = Parameters<NonNullable<SMTPServerOptions['onConnect']>>[0];

/** What a fault may depend on: whose connection it is, and whom the mail goes to, as far as is known. */
interface FaultContext {
  remotePort: number;
  addresses: string[];
}

function faultContextOf({ remotePort, envelope }: Session): FaultContext {
  return { remotePort, addresses: envelope.rcptTo.map(({ address }) => address) };
}

function fits({ at, to }: MailFault, here: MailFault['at'], { addresses }: FaultContext): boolean {
  return at === here && (!to || addresses.includes(to));
}

function takeFault(
  faults: MailFault[],
  at: MailFault['at'],
  context: FaultContext,
): MailFault | null {
  const fault = faults.find((one) => fits(one, at, context));
  if (!fault || fault.times === null) return fault ?? null;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times === 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}

async function readMail(bytes: Buffer, { envelope }: Session): Promise<ParsedMail> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'base64' });
  const pictures = new Map(
    mail.attachments.map(({ contentId = '', mimeType, content }) => [
      contentId.replace(/^<|>$/g, ''),
      `data:${mimeType};base64,${content}`,
    ]),
  );
  const html = mail.html?.replace(/cid:([^"'\s]+)/g, (all, id) => pictures.get(id) ?? all);
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    recipients: envelope.rcptTo.map(({ address }) => address),
    to: mail.to?.map(({ address }) => address).join(', ') ?? '',
    subject: mail.subject ?? '',
    body: (mail.text ?? '').replace(/\r\n/g, '\n').trimEnd(),
    html: html ?? null,
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}
