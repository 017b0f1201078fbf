import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import styles from './Field.module.css';
import { FieldFault } from './FieldFault.tsx';
import { useFieldFault } from './Form.tsx';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** Its rule; what is wrong with it stands there instead. */
  hint?: string;
  /** Stands at the end of the input, inside its frame. */
  after?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, hint, after, ...input }: FieldProps) {
  const id = useId();
  const fault = useFieldFault(input.name);
  return (
    <div className={`stack ${styles.field}`}>
      <label htmlFor={id}>{label}</label>
      <div className={`control ${styles.frame}`}>
        <input
          {...input}
          id={id}
          aria-invalid={fault !== null || undefined}
          aria-describedby={(fault ?? hint) && `${id}-about`}
        />
        {after}
      </div>
      <FieldFault id={`${id}-about`} text={fault} />
      {!fault && hint && (
        <p id={`${id}-about`} className="note">
          {hint}
        </p>
      )}
    </div>
  );
}

/** What a field for a name asks for: more than spaces and what is not seen. */
export const named = { required: true, maxLength: 100, pattern: '.*[^\\s\\p{Cf}].*' };
