import { useRef, useState } from 'react';
import { maxLabelLength } from '../../../shared/contract/bounds.ts';
import type { ChatOffer, LinkRequest } from '../../../shared/contract/chats.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { FailureCallout } from '../../api/FailureCallout.tsx';
import { detailsOf } from '../../api/failure.ts';
import { Button } from '../../design/Button.tsx';
import { DeclaredField } from '../../design/DeclaredField.tsx';
import { Form } from '../../design/Form.tsx';
import { SheetSteps } from '../../design/Sheet.tsx';
import { ConsentPanel } from './ConsentPanel.tsx';
import { InvitationPanel } from './InvitationPanel.tsx';
import { useLinkCall } from './link-call.ts';
import { MailboxForm } from './MailboxForm.tsx';
import { TrialQuestion } from './TrialQuestion.tsx';

type Way = ChatOffer['linkings'][number];

interface LinkChatFormProps {
  offer: ChatOffer;
  messenger: Messenger | undefined;
  onClose: () => void;
}

/** The first way of a chat, and the others behind a button. */
export function LinkChatForm(props: LinkChatFormProps) {
  const { linkings } = props.offer;
  // What is linked anew keeps its destination: a consent page would make another one.
  const offered = linkings.filter(({ way }) => !props.messenger || way !== 'consent');
  const [chosen, setChosen] = useState(0);
  const way = offered[chosen];
  if (!way) return null;
  const index = linkings.indexOf(way);
  return (
    <>
      {way.way === 'consent' && way.connectPath && (
        <ConsentPanel path={way.connectPath} name={props.offer.name} />
      )}
      {way.way === 'address' && <DeclaredForm {...props} way={way} index={index} key={index} />}
      {way.way === 'mailbox' && <MailboxForm {...props} kind={props.offer.kind} />}
      {way.way === 'invitation' && <InvitationPanel {...props} />}
      {offered.length > 1 && (
        <Button onClick={() => setChosen((chosen + 1) % offered.length)}>
          {way.way === 'address'
            ? `Passer plutôt par ${props.offer.name}`
            : 'Coller plutôt une adresse'}
        </Button>
      )}
    </>
  );
}

interface DeclaredFormProps extends LinkChatFormProps {
  way: Way;
  /** Of the way, among those of the chat. */
  index: number;
}

function DeclaredForm({ offer, messenger, onClose, way, index }: DeclaredFormProps) {
  const { busy, failure, link } = useLinkCall(messenger, onClose);
  const refused = detailsOf(failure);
  const [isAsking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<LinkRequest['values']>({});
  function send(body: LinkRequest) {
    // Until the answer to it has arrived, the question stays.
    if (!body.seen) setAsking(false);
    return link({
      ...{ path: `/messengers/chats/${offer.kind}/link`, body },
      toastOf: ({ slackTeamName, slackChannel }) => {
        // What is linked anew keeps its channel, where the team has it.
        const next = slackChannel === null ? '. Choisissez maintenant un channel' : '';
        return [`Tirelire est reliée à ${slackTeamName}${next}.`];
      },
      // The person is asked for what they saw.
      onUnlinked: () => setAsking(true),
    });
  }
  return (
    <>
      {!isAsking && <SheetSteps steps={way.steps} />}
      <Form<LinkRequest['values']>
        ref={form}
        submit={offer.channels === 'one' ? 'Envoyer un essai' : 'Relier'}
        variant={isAsking ? 'plain' : 'primary'}
        busy={busy}
        refused={refused}
        onSend={(body) => {
          setValues(body);
          void send({ linking: index, values: body, seen: false });
        }}
      >
        {way.fields.map((field) => (
          <DeclaredField
            key={field.name}
            field={field}
            {...(field.name === 'label' && {
              known: messenger?.slackChannelName ?? '',
              maxLength: maxLabelLength,
            })}
          />
        ))}
      </Form>
      <FailureCallout {...{ failure, refused }} />
      {isAsking && (
        <TrialQuestion
          causes={way.unseen ?? ''}
          busy={busy}
          onSeen={() =>
            send({ linking: index, values: { ...values, ...nameIn(form.current) }, seen: true })
          }
        />
      )}
    </>
  );
}

/** It may be corrected while the trial is looked for: what was tried is the address alone. */
function nameIn(form: HTMLFormElement | null): LinkRequest['values'] {
  const name = form && new FormData(form).get('label');
  return typeof name === 'string' ? { label: name } : {};
}
