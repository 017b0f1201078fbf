import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EmailChange, EmailChangeAnswer } from '../../shared/contract/accounts.ts';
import type { Me, NameChange } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { detailsOf } from '../api/failure.ts';
import { rereadEverywhere } from '../api/reread.ts';
import { Callout } from '../design/Callout.tsx';
import { Field, named } from '../design/Field.tsx';
import { Form } from '../design/Form.tsx';
import { Panel, PanelDetails } from '../design/Panel.tsx';
import { showToast } from '../design/toasts/toasts.ts';
import { CurrentPasswordField, EmailField } from '../session/credentials.tsx';
import { DemoMailboxLink } from '../session/DemoMailboxLink.tsx';
import { meQuery } from '../session/me.ts';
import { ResendLink } from '../session/ResendLink.tsx';

export function NamesPanel({ me }: { me: Me }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: NameChange) => call('PATCH', '/users/me', { body }),
    meta: { done: 'Votre nom a été enregistré', changed: [meQuery.queryKey] },
  });
  return (
    <Panel title="Identité">
      <Form
        submit="Enregistrer"
        busy={isPending}
        refused={detailsOf(error)}
        onSend={(names: NameChange) => mutate(names)}
      >
        <Field
          {...named}
          label="Prénom"
          name="firstname"
          defaultValue={me.firstname}
          autoComplete="given-name"
        />
        <Field
          {...named}
          label="Nom"
          name="lastname"
          defaultValue={me.lastname}
          autoComplete="family-name"
        />
      </Form>
    </Panel>
  );
}

export function EmailPanel({ me }: { me: Me }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    async mutationFn(body: EmailChange): Promise<[done: string, detail: string | null]> {
      const { mailed } = await call<EmailChangeAnswer>('PUT', '/users/me/email', { body });
      if (mailed) return ['Un lien vient de partir vers la nouvelle adresse', null];
      const detail = me.pendingEmail && 'Le changement en attente est annulé.';
      if (me.emailConfirmed) return ['Votre adresse ne change pas', detail];
      await call('POST', '/users/me/email/confirmation');
      return ['Un lien vient de partir vers votre adresse', detail];
    },
    meta: { changed: [meQuery.queryKey] },
    onSuccess: (toast) => showToast('success', ...toast),
    // The first of two calls may have changed it.
    onError: () => rereadEverywhere(client, meQuery.queryKey),
  });
  return (
    <Panel title="Adresse email">
      <p>
        <strong>{me.email}</strong>
      </p>
      <AwaitedConfirmation isConfirmed={me.emailConfirmed} pending={me.pendingEmail} />
      <PanelDetails summary="Changer d'adresse">
        <Form
          submit="Changer d'adresse"
          busy={isPending}
          refused={detailsOf(error)}
          onSend={(change: EmailChange, form) => mutate(change, { onSuccess: () => form.reset() })}
        >
          <EmailField
            label="Nouvelle adresse email"
            autoComplete="email"
            hint="Elle remplace l'actuelle dès que vous la confirmez par le lien qui y est envoyé."
          />
          <CurrentPasswordField />
        </Form>
      </PanelDetails>
    </Panel>
  );
}

interface AwaitedConfirmationProps {
  isConfirmed: boolean;
  pending: string | null;
}

/** A link that was mailed and not yet followed: which one, and how to get it again. */
function AwaitedConfirmation({ isConfirmed, pending }: AwaitedConfirmationProps) {
  if (isConfirmed && pending === null) return null;
  return (
    <Callout
      variant={pending === null ? 'warning' : 'quiet'}
      action={<ResendLink pending={pending} />}
    >
      {pending === null
        ? "Cette adresse n'est pas encore confirmée. Ouvrez le lien que vous avez reçu par email."
        : `Changement en attente\u202f: ouvrez le lien envoyé à ${pending}. D'ici là, rien ne change.`}
      <DemoMailboxLink />
    </Callout>
  );
}
