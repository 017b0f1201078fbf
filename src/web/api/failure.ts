import { alertTexts, errorText } from '../../shared/errors/texts.ts';

/** The server answered, and the answer is no. */
export class ServerRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ServerRefusal';
    this.status = status;
    this.code = code;
  }
}

/** What a person reads when the server's own words are the best explanation. */
export function failureText(failure: unknown): string {
  return failure instanceof ServerRefusal ? errorText(failure.message) : alertTexts.unknownError;
}

/** The server's explanation beside a general notice; null when it has none worth reading. */
export function failureDetail(failure: unknown): string | null {
  if (!(failure instanceof ServerRefusal) || failure.status === 500) return null;
  return errorText(failure.message);
}
