import { useRef, useState } from 'react';
import type { SecondFactorSecret } from '../../shared/contract/accounts.ts';
import { Panel, Quiet } from '../profile/Panel.tsx';
import { Enrolment } from './Enrolment.tsx';
import { RecoveryCodeList } from './RecoveryCodeList.tsx';
import { RemovalForm } from './RemovalForm.tsx';
import { StartForm } from './StartForm.tsx';

interface SecondFactorPanelProps {
  isOn: boolean;
  onChange: () => void;
}

/** Off, being set up, its recovery codes shown once, then on. */
export function SecondFactorPanel({ isOn, onChange }: SecondFactorPanelProps) {
  const [secret, setSecret] = useState<SecondFactorSecret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  /** The button that had the focus goes with its step. */
  function leave(then: () => void) {
    heading.current?.focus();
    then();
  }
  function confirmed(recoveryCodes: string[]) {
    setSecret(null);
    setCodes(recoveryCodes);
    onChange();
  }
  return (
    <Panel title="Validation en deux étapes" headingRef={heading}>
      {codes && <RecoveryCodeList codes={codes} onKept={() => leave(() => setCodes(null))} />}
      {!codes && secret && (
        <Enrolment
          secret={secret}
          onConfirmed={confirmed}
          onCancel={() => leave(() => setSecret(null))}
        />
      )}
      {!codes && !secret && (
        <State isOn={isOn} onSecret={setSecret} onRemoved={() => leave(onChange)} />
      )}
    </Panel>
  );
}

interface StateProps {
  isOn: boolean;
  onSecret: (secret: SecondFactorSecret) => void;
  onRemoved: () => void;
}

function State({ isOn, onSecret, onRemoved }: StateProps) {
  return isOn ? (
    <>
      <p>
        <strong>Active.</strong> À chaque connexion, un code de votre application est demandé après
        le mot de passe.
      </p>
      <RemovalForm onRemoved={onRemoved} />
    </>
  ) : (
    <>
      <Quiet>
        Désactivée. Avec elle, connaître votre mot de passe ne suffit pas{'\u202f'}: il faut aussi
        le code affiché par une application de votre téléphone.
      </Quiet>
      <StartForm onSecret={onSecret} />
    </>
  );
}
