import { ProviderLink } from '../../api/ProviderLink.tsx';

interface ConsentPanelProps {
  path: string;
  name: string;
}

/** Leads to the chat's consent page in this tab, and says what comes there. */
export function ConsentPanel({ path, name }: ConsentPanelProps) {
  return (
    <>
      <p>{`Vous choisirez sur ${name} où les messages arriveront, puis vous reviendrez ici.`}</p>
      <ProviderLink variant="primary" path={path}>{`Continuer sur ${name}`}</ProviderLink>
    </>
  );
}
