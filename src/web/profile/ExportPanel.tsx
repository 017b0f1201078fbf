import { answer } from '../api/call.ts';
import { useSubmission } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { Panel } from './Panel.tsx';

export function ExportPanel() {
  const { busy, submit } = useSubmission(async () => {
    const response = await answer('GET', '/users/me/export');
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    save(await response.blob(), name ?? 'tirelire.json');
  });
  return (
    <Panel title="Vos données">
      <p>
        Tout ce que Tirelire conserve de vous, dans un fichier JSON{'\u202f'}: compte, banques,
        soldes, notifications et envois.
      </p>
      <Button busy={busy} onClick={() => submit()}>
        Télécharger mes données
      </Button>
    </Panel>
  );
}

/** The address is needed until the browser has taken the file over, which it does not tell. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
