import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  BankItem,
  ChosenBank,
  ConnectionForm,
  SourceParameters,
} from '../../../shared/contract/banks.ts';
import { Redirection } from '../../../shared/contract/messengers.ts';
import { type Requester, requesterOf } from '../../identity/sessions/authentication.ts';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import { throttled } from '../../identity/throttling/throttling.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { ClientDetails, FormConnect } from '../../providers/banks/connect.ts';
import { faultsOfValues } from '../../providers/form-values.ts';
import { noteErasureOfUnread } from '../connections/erasing.ts';
import { presentItemsOf } from '../connections/presentation.ts';
import { listSourceIds } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrorOf, bankingErrors, bankRefusals } from '../errors.ts';
import { changeSecretIn } from '../source-links/queries.ts';
import { clientDetailsOf } from './client-details.ts';
import { callbackUrlOf, hasRedirect, openPageOfSource } from './connect-sessions.ts';
import { refreshAfterLinking } from './first-refresh.ts';
import { keepAccess } from './keeping-accesses.ts';

/**
 * How a person links a bank that they chose here: by values that they type, or on a page of its service.
 */
export function formRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/banks/sources/:source/connections',
      {
        config: {
          errors: [
            ...bankRefusals,
            httpErrors.Not_Found,
            httpErrors.Too_Many_Requests,
            bankingErrors.Bank_Credentials_Refused,
            bankingErrors.Too_Many_Banks,
          ],
        },
        schema: {
          summary: 'Relier une banque avec des identifiants',
          params: SourceParameters,
          body: ConnectionForm,
          response: { 201: Type.Array(BankItem) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const requester = { ...requesterOf(request), clientDetails: clientDetailsOf(request) };
        const key = { userId: requester.userId, source: params.source };
        await linkBankByForm(deps, requester, key.source, body.values);
        return reply.code(201).send(await presentItemsOf(deps, key));
      },
    );

    app.post(
      '/banks/sources/:source/pages',
      {
        config: {
          errors: [
            ...bankRefusals,
            httpErrors.Not_Found,
            bankingErrors.Bank_Credentials_Refused,
            bankingErrors.Too_Many_Banks,
          ],
        },
        schema: {
          summary: "La page d'un service où relier la banque choisie ici",
          params: SourceParameters,
          body: ChosenBank,
          response: { 200: Redirection },
        },
      },
      (request) =>
        openPageOfSource(deps, requesterOf(request), request.params.source, request.body.bank),
    );

    app.delete(
      '/banks/sources/:source/access',
      {
        config: { errors: [httpErrors.Not_Found, bankingErrors.Bank_Still_Linked] },
        schema: {
          summary: 'Oublier des identifiants qui ne servent à aucune banque',
          params: SourceParameters,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        await forgetAccess(deps, requesterOf(request), request.params.source);
        return reply.code(204).send(null);
      },
    );
  };
}

/**
 * The source checks the typed values and gives a secret, which is stored and read with at once. Values
 * that it refuses count as failed attempts.
 */
async function linkBankByForm(
  deps: BankingDeps,
  requester: Requester & { clientDetails: ClientDetails },
  source: string,
  values: Record<string, string>,
): Promise<void> {
  const form = formOf(deps, source);
  if (!form) throw new ApiError(httpErrors.Not_Found);
  const details = faultsOfValues(form.fields, values);
  if (details.length > 0) throw new ApiError(httpErrors.Invalid_Request, { details });
  const { userId, clientDetails } = requester;
  const change = await throttled(deps, 'bank-link', requester, () =>
    form.check(values).catch((error: unknown) => {
      throw bankingErrorOf(error) ?? error;
    }),
  );
  await keepAccess(deps, requester, source, change);
  await refreshAfterLinking(deps, userId, source, clientDetails);
}

/** Credentials that were given before any bank was linked by them. */
async function forgetAccess(deps: BankingDeps, actor: Actor, source: string): Promise<void> {
  const bankSource = deps.bankSources.get(source);
  if (bankSource?.credentials !== 'person') throw new ApiError(httpErrors.Not_Found);
  const access = hasRedirect(bankSource) ? bankSource.connect.access : undefined;
  await inTransaction(deps.database.sql, async (transaction) => {
    const { id: userId } = await lockActor(transaction, actor);
    // First: it waits for a reading that is being stored, and one that is under way stores nothing after it.
    await noteErasureOfUnread(transaction, userId, source);
    const linked = await listSourceIds(transaction, { userId, source });
    if (linked.length > 0) throw new ApiError(bankingErrors.Bank_Still_Linked);
    await changeSecretIn(transaction, deps, userId, source, (known) => {
      const count = known === null ? 0 : (access?.countAccesses(known) ?? 0);
      if (count > 0) throw new ApiError(bankingErrors.Bank_Still_Linked);
      return null;
    });
  });
}

/** That of the source itself, or the one before its pages. */
function formOf(
  { bankSources, configuration }: BankingDeps,
  source: string,
): Pick<FormConnect, 'fields' | 'check'> | null {
  const bankSource = bankSources.get(source);
  if (bankSource?.connect.kind === 'form') return bankSource.connect;
  if (!bankSource || !hasRedirect(bankSource) || !bankSource.connect.access) return null;
  const { fields, check } = bankSource.connect.access;
  const callbackUrl = callbackUrlOf(configuration.publicUrl, [source, bankSource]);
  return { fields, check: (values) => check(values, callbackUrl) };
}
