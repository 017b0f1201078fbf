import { FreshLink } from '../../api/FreshLink.tsx';

interface ConnectWayProps {
  path: string;
  name: string;
}

/** Leads to the chat's consent page in this tab, and says what comes there. */
export function ConnectWay({ path, name }: ConnectWayProps) {
  return (
    <>
      <p>{`Vous choisirez sur ${name} où les messages arriveront, puis vous reviendrez ici.`}</p>
      <FreshLink variant="primary" path={path}>{`Continuer sur ${name}`}</FreshLink>
    </>
  );
}
