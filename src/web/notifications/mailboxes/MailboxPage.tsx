import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAttempt } from '../../api/attempt.ts';
import { call } from '../../api/call.ts';
import { ApiError, failureText } from '../../api/failure.ts';
import { useSecretFragment } from '../../browser/fragment.ts';
import { tellOtherTabs } from '../../browser/tabs.ts';
import { Button } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import styles from '../../design/Page.module.css';
import { Page } from '../../design/Page.tsx';
import { meQuery } from '../../session/me.ts';

/** Opened by the mail that asks an address whether it wants the messages: nothing is done unpressed. */
export function AcceptancePage() {
  const { token, answered, failure, busy, answer } = useAnswer();
  return (
    <Frame title="Recevoir les messages" incomplete={token === null} failure={failure}>
      {answered === 'confirmation' && (
        <Done>
          C'est noté{'\u202f'}: les messages que cette personne programme arriveront à cette
          adresse. Chacun porte un lien pour ne plus en recevoir.
        </Done>
      )}
      {answered === 'refusal' && <Done>C'est noté{'\u202f'}: rien ne vous sera envoyé.</Done>}
      {answered === null && token !== null && (
        <>
          <p>
            Une personne qui utilise Tirelire souhaite envoyer des messages à votre adresse
            {'\u202f'}: chaque jour ceux qu'elle programme, et parfois une alerte ou un essai. Ils
            peuvent contenir les soldes et les opérations de ses comptes bancaires.
          </p>
          <Button variant="primary" busy={busy} onClick={() => answer('confirmation')}>
            Recevoir les messages
          </Button>
          <Button busy={busy} onClick={() => answer('refusal')}>
            Refuser, et ne plus recevoir de demande
          </Button>
        </>
      )}
    </Frame>
  );
}

/** Opened by the foot of every message. */
export function UnsubscriptionPage() {
  const { token, answered, failure, busy, answer } = useAnswer();
  return (
    <Frame title="Désabonnement" incomplete={token === null} failure={failure}>
      {answered === 'refusal' && (
        <Done>
          C'est fait{'\u202f'}: cette adresse ne recevra plus ces messages, et la personne qui les
          envoyait en est prévenue.
        </Done>
      )}
      {answered === 'resumption' && (
        <Done>
          C'est noté{'\u202f'}: les messages de cette personne peuvent de nouveau arriver à cette
          adresse.
        </Done>
      )}
      {answered === null && token !== null && (
        <>
          <p>
            Confirmez pour que votre adresse ne reçoive plus les messages de la personne qui vous
            les envoie.
          </p>
          <Button variant="primary" busy={busy} onClick={() => answer('refusal')}>
            Ne plus recevoir ces messages
          </Button>
          <p>Vous ne les receviez plus et les voulez de nouveau{'\u202f'}?</p>
        </>
      )}
      {answered !== 'resumption' && token !== null && (
        <Button busy={busy} onClick={() => answer('resumption')}>
          Recevoir de nouveau ces messages
        </Button>
      )}
    </Frame>
  );
}

interface FrameProps {
  title: string;
  incomplete: boolean;
  failure: string | null;
  children: ReactNode;
}

function Frame({ title, incomplete, failure, children }: FrameProps) {
  return (
    <Page title={title} className={styles.narrow}>
      <h1>{title}</h1>
      <div role="alert">
        {(failure || incomplete) && (
          <Callout variant="failure">
            {failure ?? "Ce lien n'est pas complet. Ouvrez-le depuis l'email."}
          </Callout>
        )}
      </div>
      {children}
    </Page>
  );
}

/** What the answer led to. The button that had the focus went away with its question. */
function Done({ children }: { children: ReactNode }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <p ref={sentence} tabIndex={-1} className={styles.done}>
      {children}
    </p>
  );
}

type Answer = 'confirmation' | 'refusal' | 'resumption';

function useAnswer() {
  const { value: token } = useSecretFragment('jeton');
  const [answered, setAnswered] = useState<Answer | null>(null);
  const { busy, failure, attempt } = useAttempt();
  function answer(given: Answer) {
    return attempt(async () => {
      await call('POST', `/messengers/mailboxes/${given}`, { body: { token } });
      // The page of the person who asked may stand in another one.
      tellOtherTabs({ changed: meQuery.queryKey });
      setAnswered(given);
    });
  }
  return { token, answered, failure: failure === null ? null : textOf(failure), busy, answer };
}

function textOf(failure: unknown): string {
  const isOver = failure instanceof ApiError && failure.code === 'Link_Invalid';
  return isOver ? 'Ce lien a expiré, ou une réponse a déjà été donnée.' : failureText(failure);
}
