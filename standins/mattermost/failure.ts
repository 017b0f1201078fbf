import { type Answer, json } from '../service/responses.ts';

/** The form of every error of Mattermost: programs branch on its id. */
export function failure(status: number, id: string): Answer {
  return json(status, {
    id,
    message: 'Une erreur, dans la langue du serveur.',
    detailed_error: '',
    request_id: 'demonstration0000000000000',
    status_code: status,
  });
}
