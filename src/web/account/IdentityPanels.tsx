import type { Me } from '../../shared/contract/users.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { Field } from '../design/Field.tsx';
import { Form, textOf } from '../design/Form.tsx';
import { Folded, Panel } from '../design/Panel.tsx';
import { CurrentPasswordField, EmailField } from '../session/credentials.tsx';
import { useChangeEmail, useChangeNames, useResendConfirmation } from './mutations.ts';

export function NamesPanel({ me }: { me: Me }) {
  const { mutate, isPending } = useChangeNames();
  const field = { required: true, maxLength: 100 };
  return (
    <Panel title="Identité">
      <Form
        submit="Enregistrer"
        busy={isPending}
        onSend={(fields) =>
          mutate({ firstname: textOf(fields, 'firstname'), lastname: textOf(fields, 'lastname') })
        }
      >
        <Field
          {...field}
          label="Prénom"
          name="firstname"
          defaultValue={me.firstname}
          autoComplete="given-name"
        />
        <Field
          {...field}
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
  const { mutate, isPending } = useChangeEmail();
  return (
    <Panel title="Adresse email">
      <p>
        <strong>{me.email}</strong>
      </p>
      <AwaitedConfirmation isConfirmed={me.emailConfirmed} pending={me.pendingEmail} />
      <Folded summary="Changer d'adresse">
        <Form
          submit="Changer d'adresse"
          busy={isPending}
          onSend={(fields, form) =>
            mutate(
              {
                email: textOf(fields, 'email'),
                currentPassword: textOf(fields, 'currentPassword'),
              },
              { onSuccess: () => form.reset() },
            )
          }
        >
          <EmailField
            label="Nouvelle adresse email"
            autoComplete="email"
            hint="Elle remplace l'actuelle dès que vous ouvrez le lien qui y est envoyé."
          />
          <CurrentPasswordField />
        </Form>
      </Folded>
    </Panel>
  );
}

interface AwaitedConfirmationProps {
  isConfirmed: boolean;
  pending: string | null;
}

/** A link that was mailed and not yet followed: which one, and how to get it again. */
function AwaitedConfirmation({ isConfirmed, pending }: AwaitedConfirmationProps) {
  const { mutate, isPending } = useResendConfirmation();
  if (isConfirmed && pending === null) return null;
  return (
    <Callout
      look={pending === null ? 'warning' : 'quiet'}
      action={
        <Button busy={isPending} onClick={() => mutate()}>
          Renvoyer le lien
        </Button>
      }
    >
      {pending === null
        ? "Cette adresse n'est pas encore confirmée. Ouvrez le lien que vous avez reçu par email."
        : `Changement en attente\u202f: ouvrez le lien envoyé à ${pending}. D'ici là, rien ne change.`}
    </Callout>
  );
}
