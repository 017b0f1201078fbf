import type { Messenger } from '../../shared/contract/messengers.ts';
import { capitalize } from '../../shared/message/capitalize.ts';
import { Avatar } from '../design/Avatar.tsx';
import { Button } from '../design/Button.tsx';
import { Icon } from '../design/Icon.tsx';
import styles from './CopyDestinations.module.css';
import { useCopyMessenger } from './mutations.ts';
import { useCachedMessengers } from './queries.ts';

/** The destinations that are linked: a press copies the notification there, as it was saved. */
export function CopyDestinations({ messenger }: { messenger: Messenger }) {
  const { mutate, isPending, variables } = useCopyMessenger(messenger.id);
  const destinations = destinationsFor(messenger, useCachedMessengers());
  if (destinations.length === 0) {
    return <p className="note">{"Reliez d'abord un autre endroit où la recevoir."}</p>;
  }
  return (
    <>
      <p className="note">
        {"Le texte, l'heure, les jours et les comptes enregistrés y sont copiés."}
      </p>
      <ul className={styles.destinations}>
        {destinations.map(({ slackBotToken, slackTeamName, chatName, channels, placePhrase }) => (
          <li key={slackBotToken}>
            <Button
              busy={isPending && variables === slackBotToken}
              onClick={() => !isPending && mutate(slackBotToken)}
            >
              <Avatar>{channels === 'one' ? chatName[0] : <Icon name="hash" />}</Avatar>
              {capitalize(placePhrase ?? `dans ${slackTeamName}, ${chatName}`)}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** One of each, without the only channel where it stands already. */
function destinationsFor(messenger: Messenger, known: Messenger[]): Messenger[] {
  const destinations = new Map(known.map((one) => [one.slackBotToken, one]));
  if (messenger.channels === 'one') destinations.delete(messenger.slackBotToken);
  return [...destinations.values()].filter(({ connected }) => connected);
}
