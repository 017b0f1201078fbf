import { configuration } from '../api/configuration.ts';
import { NewTabLink } from '../design/NewTabLink.tsx';

/** After a sentence about a mail: in the demonstration none arrives anywhere else. */
export function DemoMailboxLink() {
  if (!configuration.demoUrl) return null;
  return (
    <>
      {' '}
      <NewTabLink href={`${configuration.demoUrl}/mails`} className="">
        Boîte de réception de la démonstration
      </NewTabLink>
    </>
  );
}
