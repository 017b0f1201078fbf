import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MailboxRequest } from '../../../shared/contract/mailboxes.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { FailureCallout } from '../../api/FailureCallout.tsx';
import { detailsOf } from '../../api/failure.ts';
import { Button } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import { Field } from '../../design/Field.tsx';
import { Form } from '../../design/Form.tsx';
import { meQuery } from '../../session/me.ts';
import { ResendLink } from '../../session/ResendLink.tsx';
import { nextStepText } from '../messenger-state.ts';
import { useLinkCall } from './link-call.ts';

interface MailboxFormProps {
  kind: string;
  messenger: Messenger | undefined;
  onClose: () => void;
}

/** The person's own address by one press, once it is confirmed; any other is asked by a mail first. */
export function MailboxForm({ kind, messenger, onClose }: MailboxFormProps) {
  const me = useQuery(meQuery).data;
  const { busy, failure, link } = useLinkCall(messenger, onClose);
  const refused = detailsOf(failure);
  const [asked, setAsked] = useState<string | null>(null);
  const send = (body: MailboxRequest) =>
    link({
      ...{ path: `/messengers/chats/${kind}/mailboxes`, body },
      toastOf: (linked) => [
        `Les messages arriveront à ${linked.slackTeamName}.`,
        nextStepText(linked),
      ],
      onUnlinked: () => setAsked(body.address ?? null),
    });
  return (
    <>
      {me?.emailConfirmed === false ? (
        <Callout variant="quiet" action={<ResendLink pending={null} />}>
          Pour recevoir les messages à {me.email}, ouvrez d'abord le lien que nous y avons envoyé.
        </Callout>
      ) : (
        <div className="stack">
          <Button variant="primary" busy={busy} onClick={() => send({})}>
            {me ? `Recevoir à ${me.email}` : 'Recevoir à mon adresse'}
          </Button>
        </div>
      )}
      <Form<{ address: string }>
        submit="Demander son accord"
        variant="plain"
        busy={busy}
        refused={refused}
        onSend={send}
      >
        <Field
          label="Ou une autre adresse"
          name="address"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          hint="Un email y part d'abord, pour demander à son propriétaire s'il veut les messages."
        />
      </Form>
      <FailureCallout {...{ failure, refused }} />
      <div role="status">
        {asked && (
          <Callout variant="quiet">
            Un email est parti à {asked}. La notification apparaîtra ici dès que le propriétaire de
            cette adresse aura accepté.
          </Callout>
        )}
      </div>
    </>
  );
}
