import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ChatOffer, LinkRequest, LinkTrial } from '../../../shared/contract/chats.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { useAttempt } from '../../api/attempt.ts';
import { call } from '../../api/call.ts';
import { detailsOf, failureText } from '../../api/failure.ts';
import { rereadEverywhere } from '../../api/reread.ts';
import { Button } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import { DeclaredField } from '../../design/DeclaredField.tsx';
import { Form } from '../../design/Form.tsx';
import { requestFocus } from '../../design/requested-focus.ts';
import { SheetSteps } from '../../design/Sheet.tsx';
import { showToast } from '../../design/toasts/toasts.ts';
import { meQuery } from '../../session/me.ts';
import { ConsentPanel } from './ConsentPanel.tsx';
import { InvitationPanel } from './InvitationPanel.tsx';
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
  const { failure, busy, isAsking, send } = useLinking(offer, onClose);
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<LinkRequest['values']>({});
  const request = (more: LinkRequest['values'], seen = false): LinkRequest => ({
    ...{ linking: index, values: more, seen },
    ...(messenger && { messengerId: messenger.id }),
  });
  return (
    <>
      {!isAsking && <SheetSteps steps={way.steps} />}
      <Form<LinkRequest['values']>
        ref={form}
        submit={offer.channels === 'one' ? 'Envoyer un essai' : 'Relier'}
        variant={isAsking ? 'plain' : 'primary'}
        busy={busy}
        refused={detailsOf(failure)}
        onSend={(body) => {
          setValues(body);
          void send(request(body));
        }}
      >
        {way.fields.map((field) => (
          <DeclaredField
            key={field.name}
            field={field}
            known={field.name === 'label' ? (messenger?.slackChannelName ?? '') : ''}
          />
        ))}
      </Form>
      <div role="alert">
        {failure !== null && <Callout variant="failure">{failureText(failure)}</Callout>}
      </div>
      {isAsking && (
        <TrialQuestion
          causes={way.unseen ?? ''}
          busy={busy}
          onSeen={() => send(request(values, true))}
        />
      )}
    </>
  );
}

/** The call, what it ended with, and whether the person is asked for what they saw. */
function useLinking({ kind, channels }: ChatOffer, onClose: () => void) {
  const client = useQueryClient();
  const { busy, failure, attempt } = useAttempt();
  const [isAsking, setAsking] = useState(false);
  function send(body: LinkRequest) {
    setAsking(false);
    return attempt(
      async () => {
        const path = `/messengers/chats/${kind}/link`;
        const answer = await call<Messenger | LinkTrial>('POST', path, { body });
        if ('trial' in answer) return null;
        await rereadEverywhere(client, meQuery.queryKey);
        const teamName = answer.slackTeamName;
        const next = channels === 'one' ? '' : '. Choisissez maintenant un channel';
        showToast('success', `Tirelire est reliée à ${teamName}${next}.`);
        return answer;
      },
      (linked) => {
        if (!linked) return setAsking(true);
        requestFocus(linked.id);
        onClose();
      },
    );
  }
  return { busy, failure, isAsking, send };
}
