import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { BankDirectory, DirectoryQuery, OfferedSource } from '../../../shared/contract/banks.ts';
import { userIdOf } from '../../identity/sessions/authentication.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { listLinkedSources } from '../source-links/queries.ts';
import { callbackUrlOf } from './connect-sessions.ts';
import { readDirectory } from './directory.ts';

/** What people choose from when they add a bank. */
export function offerRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/banks/sources',
      {
        schema: {
          summary: 'Les services par lesquels une banque peut être reliée',
          response: { 200: Type.Array(OfferedSource) },
        },
      },
      async (request) => {
        const linked = await listLinkedSources(deps, userIdOf(request));
        return [...deps.bankSources].map(([source, bankSource]) => ({
          ...{ source, name: bankSource.name, note: bankSource.note },
          isLinked: linked.includes(source),
          connect: presentConnect(deps, source, bankSource),
        }));
      },
    );

    app.get(
      '/banks/directory',
      {
        schema: {
          summary: 'Les banques de tous les services, en une liste',
          querystring: DirectoryQuery,
          response: { 200: BankDirectory },
        },
      },
      (request) => readDirectory(deps, userIdOf(request), request.query.country ?? 'FR'),
    );
  };
}

function presentConnect(
  { configuration }: Pick<BankingDeps, 'configuration'>,
  source: string,
  bankSource: BankSource,
): OfferedSource['connect'] {
  const { connect } = bankSource;
  if (connect.kind === 'redirect') {
    const { banks, access } = connect;
    if (!access) return { kind: 'redirect', banks, access: null };
    const { fields, isDemonstration } = access;
    const callbackUrl = callbackUrlOf(configuration.publicUrl, [source, { connect }]);
    return {
      kind: 'redirect',
      banks,
      access: { steps: access.steps(callbackUrl), fields, isDemonstration },
    };
  }
  if (connect.kind === 'manual') return { kind: 'manual' };
  if (connect.kind === 'file') {
    const { steps, accept, maxBytes } = connect;
    return { kind: 'file', steps, accept, maxBytes };
  }
  const { steps, fields, isDemonstration, page } = connect;
  return { kind: 'form', steps, fields, isDemonstration, page };
}
