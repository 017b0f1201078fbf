import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChatOffer } from '../../../shared/contract/chats.ts';
import type { Invitation, InvitationState } from '../../../shared/contract/invitations.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { call } from '../../api/call.ts';
import { FailureCallout } from '../../api/FailureCallout.tsx';
import { failureText } from '../../api/failure.ts';
import { Button, buttonClass } from '../../design/Button.tsx';
import { NewTabLink } from '../../design/NewTabLink.tsx';
import { QrCode } from '../../design/QrCode.tsx';
import { RetryCallout } from '../../design/RetryCallout.tsx';
import styles from './InvitationPanel.module.css';
import { useLinkCall } from './link-call.ts';

interface InvitationPanelProps {
  offer: ChatOffer;
  messenger: Messenger | undefined;
  onClose: () => void;
}

/** A link into the chat, as a button and as a picture for a phone, until it was pressed there. */
export function InvitationPanel({ offer, messenger, onClose }: InvitationPanelProps) {
  const { name, kind } = offer;
  const base = `/messengers/chats/${kind}/invitations`;
  const [attempt, setAttempt] = useState(0);
  const invitation = useQuery({
    queryKey: ['invitation', kind, attempt],
    queryFn: () => call<Invitation>('POST', base),
    retry: false,
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  });
  const { data: given, error } = invitation;
  const [isForGroup, setForGroup] = useState(false);
  const state = useInvitationState(base, given?.code);
  const again = () => setAttempt(attempt + 1);
  if (error) return <RetryCallout text={failureText(error)} query={invitation} />;
  if (!given) return <p role="status">Chargement…</p>;
  if (state?.state === 'found') {
    const path = `${base}/${given.code}/confirmation`;
    return (
      <Found {...{ path, messenger, onClose }} destination={state.name ?? name} onOther={again} />
    );
  }
  const isExpired = state?.state === 'expired';
  const address = isForGroup && given.groupUrl ? given.groupUrl : given.url;
  return (
    <>
      {given.groupUrl && (
        <div className={styles.answers}>
          <Button aria-pressed={!isForGroup} onClick={() => setForGroup(false)}>
            Pour moi
          </Button>
          <Button aria-pressed={isForGroup} onClick={() => setForGroup(true)}>
            Pour un groupe
          </Button>
        </div>
      )}
      {!isExpired && (
        <>
          <p>
            {isForGroup
              ? `Ouvrez ce lien, choisissez le groupe où ajouter le bot, puis revenez ici.`
              : `Ouvrez ce lien, appuyez sur «\u202fDémarrer\u202f», puis revenez ici.`}
          </p>
          <NewTabLink className={buttonClass('primary')} href={address}>
            {`Ouvrir ${name}`}
          </NewTabLink>
          <p>Ou scannez ce code avec votre téléphone{'\u202f'}:</p>
          <div className={styles.code}>
            <QrCode text={address} title={`Code QR du lien vers ${name}`} />
          </div>
        </>
      )}
      <p role="status">
        {isExpired ? "Ce lien n'est plus valable." : `En attente de votre réponse dans ${name}…`}
      </p>
      {isExpired && <Button onClick={again}>Obtenir un autre lien</Button>}
    </>
  );
}

const lookMs = 2_000;

/** Asked again until it was pressed, or is too old; a look that failed tells neither. */
function useInvitationState(base: string, code: string | undefined): InvitationState | undefined {
  const query = useQuery({
    queryKey: ['invitation state', code],
    queryFn: ({ signal }) => call<InvitationState>('GET', `${base}/${code}`, { signal }),
    enabled: code !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'waiting' ? lookMs : false,
    gcTime: 0,
  });
  return query.data;
}

interface FoundProps {
  path: string;
  /** Of the person or group where the link was pressed. */
  destination: string;
  messenger: Messenger | undefined;
  onOther: () => void;
  onClose: () => void;
}

/** Anybody who has the link can press it: only the person knows whether this conversation was meant. */
function Found({ path, destination, messenger, onOther, onClose }: FoundProps) {
  const { busy, failure, link } = useLinkCall(messenger, onClose);
  const confirm = () =>
    link({ path, body: {}, toastOf: () => [`Tirelire est reliée à ${destination}.`] });
  return (
    <>
      <p role="status">
        Le lien a été ouvert dans la conversation <strong>{destination}</strong>. Est-ce bien là que
        vos messages doivent arriver{'\u202f'}?
      </p>
      <div className={styles.answers}>
        <Button variant="primary" busy={busy} onClick={confirm}>
          {`Oui, relier ${destination}`}
        </Button>
        <Button onClick={onOther}>Non, recommencer</Button>
      </div>
      <FailureCallout failure={failure} />
    </>
  );
}
