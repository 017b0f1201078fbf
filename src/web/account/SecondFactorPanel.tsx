import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type {
  RecoveryCodes,
  SecondFactorProof,
  SecondFactorSecret,
  SecondFactorStart,
} from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { detailsOf } from '../api/failure.ts';
import { Callout } from '../design/Callout.tsx';
import { Form } from '../design/Form.tsx';
import { Panel, PanelDetails, PanelNote } from '../design/Panel.tsx';
import { CodeField, CurrentPasswordField } from '../session/credentials.tsx';
import { meQuery } from '../session/me.ts';
import { Enrolment, RecoveryCodeList } from './Enrolment.tsx';

/** Off, being set up, its recovery codes shown once, then on. */
export function SecondFactorPanel({ isOn }: { isOn: boolean }) {
  const [secret, setSecret] = useState<SecondFactorSecret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [areCodesLost, setCodesLost] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  /** The button that has the focus goes away with its step. */
  const focusHeading = () => heading.current?.focus();
  function leave(then: () => void) {
    focusHeading();
    then();
  }
  function confirmed(recoveryCodes: string[]) {
    setSecret(null);
    setCodesLost(false);
    setCodes(recoveryCodes);
  }
  function lost() {
    setSecret(null);
    setCodesLost(true);
  }
  return (
    <Panel title="Validation en deux étapes" headingRef={heading}>
      {codes && <RecoveryCodeList codes={codes} onKept={() => leave(() => setCodes(null))} />}
      {!codes && secret && (
        <Enrolment
          secret={secret}
          isOn={isOn}
          onConfirmed={confirmed}
          onLost={() => leave(lost)}
          onCancel={() => leave(() => setSecret(null))}
        />
      )}
      {!codes && !secret && (
        <State
          {...{ isOn, areCodesLost }}
          onSecret={setSecret}
          onCodes={confirmed}
          onRemoved={() => leave(() => setCodesLost(false))}
        />
      )}
    </Panel>
  );
}

interface StateProps {
  isOn: boolean;
  areCodesLost: boolean;
  onSecret: (secret: SecondFactorSecret) => void;
  onCodes: (recoveryCodes: string[]) => void;
  onRemoved: () => void;
}

function State({ isOn, areCodesLost, onSecret, onCodes, onRemoved }: StateProps) {
  return isOn ? (
    <>
      {areCodesLost && (
        <div role="alert">
          <Callout variant="warning">
            La validation est active. Si vous n'avez pas reçu ses codes de secours, demandez-en de
            nouveaux ci-dessous.
          </Callout>
        </div>
      )}
      <p>
        <strong>Active.</strong> À chaque connexion, un code de votre application est demandé après
        le mot de passe.
      </p>
      <NewCodesForm onCodes={onCodes} />
      <RemovalForm onRemoved={onRemoved} />
    </>
  ) : (
    <>
      <PanelNote>
        Désactivée. Avec elle, connaître votre mot de passe ne suffit pas{'\u202f'}: il faut aussi
        le code affiché par une application de votre téléphone.
      </PanelNote>
      <StartForm onSecret={onSecret} />
    </>
  );
}

function StartForm({ onSecret }: Pick<StateProps, 'onSecret'>) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: SecondFactorStart) =>
      call<SecondFactorSecret>('POST', '/users/me/second-factor', { body }),
    // It may turn out to be on already.
    meta: { changed: [meQuery.queryKey] },
    gcTime: 0,
  });
  return (
    <PanelDetails summary="Activer la validation">
      <Form
        submit="Continuer"
        busy={isPending}
        refused={detailsOf(error)}
        onSend={(body: SecondFactorStart) => mutate(body, { onSuccess: onSecret })}
      >
        <CurrentPasswordField />
      </Form>
    </PanelDetails>
  );
}

function NewCodesForm({ onCodes }: Pick<StateProps, 'onCodes'>) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: SecondFactorProof) =>
      call<RecoveryCodes>('POST', '/users/me/second-factor/recovery-codes', { body }),
    // It may have been taken off meanwhile.
    meta: { changed: [meQuery.queryKey] },
    gcTime: 0,
  });
  return (
    <PanelDetails summary="Nouveaux codes de secours">
      <PanelNote>Ils remplacent ceux que vous avez déjà, qui ne serviront plus.</PanelNote>
      <Form
        submit="Recevoir de nouveaux codes"
        busy={isPending}
        refused={detailsOf(error)}
        onSend={({ currentPassword, otp }: SecondFactorProof) =>
          mutate(
            { currentPassword, otp: otp.trim() },
            { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) },
          )
        }
      >
        <CurrentPasswordField />
        <CodeField />
      </Form>
    </PanelDetails>
  );
}

function RemovalForm({ onRemoved }: Pick<StateProps, 'onRemoved'>) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: SecondFactorProof) =>
      call('POST', '/users/me/second-factor/removal', { body }),
    meta: {
      done: 'La validation en deux étapes est désactivée',
      changed: [meQuery.queryKey],
    },
  });
  return (
    <PanelDetails summary="Désactiver la validation">
      <Form
        submit="Désactiver"
        variant="danger"
        busy={isPending}
        refused={detailsOf(error)}
        onSend={({ currentPassword, otp }: SecondFactorProof, form) =>
          mutate(
            { currentPassword, otp: otp.trim() },
            {
              onSuccess: () => {
                onRemoved();
                form.reset();
              },
            },
          )
        }
      >
        <CurrentPasswordField />
        <CodeField />
      </Form>
    </PanelDetails>
  );
}
