import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Redirection } from '../../../shared/contract/messengers.ts';
import { call } from '../../api/call.ts';
import { FailureCallout } from '../../api/FailureCallout.tsx';
import { Button } from '../../design/Button.tsx';
import { isWebAddress } from '../../design/navigation.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { type ListedBank, type RedirectSource, rereadOffers } from './offers.ts';

interface RedirectFormProps {
  offer: RedirectSource;
  bank: ListedBank | null;
  isNew: boolean;
  onDone: () => void;
  onSearch: () => void;
}

/** A bank that is linked on a page elsewhere, after what the source wants of the person first. */
export function RedirectForm({ offer, bank, isNew, onDone, onSearch }: RedirectFormProps) {
  const { banks, access } = offer.connect;
  const client = useQueryClient();
  const [isAsked, ask] = useState(access !== null && (!offer.isLinked || !isNew));
  const id = bank?.ways.find(({ source }) => source === offer.source)?.bank ?? null;
  async function given() {
    await rereadOffers(client);
    ask(false);
  }
  if (access && isAsked) {
    return (
      <CredentialsForm
        {...{ offer, isNew }}
        form={access}
        page={null}
        onLinked={isNew ? given : onDone}
      />
    );
  }
  if (banks === 'there' || id !== null) return <RedirectStep offer={offer} bank={bank} id={id} />;
  return (
    <>
      <p>Vos identifiants sont enregistrés. Choisissez maintenant votre banque dans la liste.</p>
      <Button variant="primary" onClick={onSearch}>
        Choisir ma banque
      </Button>
      <Button onClick={() => ask(true)}>Donner d'autres identifiants</Button>
      <ForgetCredentialsButton source={offer.source} onForgotten={onDone} />
    </>
  );
}

interface RedirectStepProps {
  offer: RedirectSource;
  bank: ListedBank | null;
  /** The source's own; null where its page asks for the bank. */
  id: string | null;
}

/** The address is asked for at the press: it expires soon. */
function RedirectStep({ offer, bank, id }: RedirectStepProps) {
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const body = id === null ? {} : { bank: id };
      const path = `/banks/sources/${offer.source}/pages`;
      const { redirect_url: address } = await call<Redirection>('POST', path, { body });
      if (!isWebAddress(address)) throw new Error('no web address');
      location.assign(address);
    },
    meta: { failure: 'beside' },
  });
  // The way back may show the page as it was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
  return (
    <>
      <p>
        {bank && `${bank.name}, par ${offer.name}. `}Vous donnez votre accord sur une autre page,
        puis vous revenez ici.
      </p>
      <FailureCallout failure={error} />
      <Button variant="primary" busy={isPending || isSuccess} onClick={() => mutate()}>
        Continuer
      </Button>
    </>
  );
}

interface ForgetCredentialsButtonProps {
  source: string;
  onForgotten: () => void;
}

/** What was given before any bank was linked by it can be taken back. */
function ForgetCredentialsButton({ source, onForgotten }: ForgetCredentialsButtonProps) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call('DELETE', `/banks/sources/${source}/access`),
    meta: { done: 'Vos identifiants ont été oubliés', failure: 'beside' },
    onSuccess: () => rereadOffers(client),
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate(undefined, { onSuccess: onForgotten })}>
        Oublier ces identifiants
      </Button>
      <FailureCallout failure={error} />
    </>
  );
}
