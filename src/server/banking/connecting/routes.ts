import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  BankItem,
  BankParameters,
  ConfirmationQuery,
  ConnectionForm,
  OfferedSource,
  SourceParameters,
} from '../../../shared/contract/banks.ts';
import { Redirection } from '../../../shared/contract/messengers.ts';
import { ownerOf } from '../../identity/sessions/authentication.ts';
import { throttled } from '../../identity/throttling/throttling.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { FormField } from '../../providers/banks/connect.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import { presentItem } from '../connections/presentation.ts';
import { listConnections, type StoredConnection } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrorOf, bankingErrors, bankRefusals } from '../errors.ts';
import { findSecret, saveSecret } from '../links/queries.ts';
import { openAddPage, openEditPage, requireRoom } from './sessions.ts';

const pageRefusals = [
  ...bankRefusals,
  httpErrors.Not_Found,
  bankingErrors.Bank_Management_Limit,
] as const;

/** The pages of sources, under paths that the specification fixed, and the forms of other sources. */
export function connectingRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const answers = { 200: Redirection };

    app.get(
      '/bridge/items/connect',
      {
        config: {
          errors: [...bankRefusals, httpErrors.Not_Found, bankingErrors.Too_Many_Banks],
        },
        schema: { summary: 'La page où ajouter une banque', response: answers },
      },
      (request) => openAddPage(deps, ownerOf(request)),
    );

    app.get(
      '/bridge/items/edit/:id',
      {
        config: { errors: pageRefusals },
        schema: {
          summary: 'La page où modifier une banque',
          params: BankParameters,
          response: answers,
        },
      },
      (request) => openEditPage(deps, ownerOf(request), 'edit', request.params.id),
    );

    app.get(
      '/bridge/items/pro/confirmation/url',
      {
        config: { errors: pageRefusals },
        schema: {
          summary: 'La page de validation professionnelle',
          querystring: ConfirmationQuery,
          response: answers,
        },
      },
      (request) => openEditPage(deps, ownerOf(request), 'pro', request.query.item ?? null),
    );

    app.get(
      '/banks/sources',
      {
        schema: {
          summary: 'Les services par lesquels une banque peut être reliée',
          response: { 200: Type.Array(OfferedSource) },
        },
      },
      async () => [...deps.banks].map(([kind, source]) => offerOf(kind, source)),
    );

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
        const { params, body, ip: address } = request;
        const owner = { account: ownerOf(request), address };
        const connections = await linkByForm(deps, owner, params.source, body.values);
        return reply
          .code(201)
          .send(connections.map((row) => presentItem(deps, row, deps.clock.now())));
      },
    );
  };
}

function offerOf(kind: string, { name, connect }: BankSource): OfferedSource {
  if (connect.kind === 'redirect' || connect.kind === 'manual')
    return { source: kind, name, connect: { kind: connect.kind } };
  if (connect.kind === 'file') {
    const { steps, accept, maxBytes } = connect;
    return { source: kind, name, connect: { kind: 'file', steps, accept, maxBytes } };
  }
  const { steps, fields, isDemonstration } = connect;
  return { source: kind, name, connect: { kind: 'form', steps, fields, isDemonstration } };
}

/**
 * The source checks the typed values and gives a secret, which is stored and read with at once. Values
 * that it refuses count as failed attempts.
 */
async function linkByForm(
  deps: BankingDeps,
  owner: { account: string; address: string },
  kind: string,
  values: Record<string, string>,
): Promise<StoredConnection[]> {
  const connect = deps.banks.get(kind)?.connect;
  if (connect?.kind !== 'form') throw new ApiError(httpErrors.Not_Found);
  requireFields(connect.fields, values);
  const ownerId = owner.account;
  await requireRoom(deps, ownerId);
  const known = await findSecret(deps, ownerId, kind);
  const secret = await throttled(deps, 'bank-link', owner, () =>
    connect.link(values, known).catch((error: unknown) => {
      throw bankingErrorOf(error) ?? error;
    }),
  );
  await saveSecret(deps, ownerId, kind, secret);
  await deps.bankRefreshes.refresh(ownerId, kind);
  const connections = await listConnections(deps, ownerId);
  return connections.filter(({ source }) => source === kind);
}

function requireFields(fields: FormField[], values: Record<string, string>): void {
  const details = fields.flatMap(({ name, label, pattern, help }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return [{ path: `/values/${name}`, message: `${label} manque` }];
    const isRight = new RegExp(`^(?:${pattern})$`, 'u').test(value);
    return isRight ? [] : [{ path: `/values/${name}`, message: `${label}\u202f: ${help}` }];
  });
  if (details.length > 0) throw new ApiError(httpErrors.Invalid_Request, { details });
}
