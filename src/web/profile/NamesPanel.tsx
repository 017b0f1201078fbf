import type { Me, NameChange } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { Field } from '../design/Field.tsx';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { showToast } from '../toasts/toasts.ts';
import { Panel } from './Panel.tsx';

export function NamesPanel({ me, onChange }: { me: Me; onChange: () => void }) {
  async function save(form: FormData) {
    const change: NameChange = {
      firstname: textOf(form, 'firstname'),
      lastname: textOf(form, 'lastname'),
    };
    await call('PATCH', '/users/me', { body: change });
    showToast('success', 'Votre nom a été enregistré');
    onChange();
  }
  const field = { required: true, maxLength: 100 };
  return (
    <Panel title="Identité">
      <Form submit="Enregistrer" send={save} keep>
        <Field
          {...field}
          label="Prénom"
          name="firstname"
          defaultValue={me.firstname}
          autoComplete="given-name"
        />
        <Field
          {...field}
          label="Nom"
          name="lastname"
          defaultValue={me.lastname}
          autoComplete="family-name"
        />
      </Form>
    </Panel>
  );
}
