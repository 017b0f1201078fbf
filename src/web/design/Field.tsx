import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './Field.module.css';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string;
  /** Stands at the end of the input, inside its frame. */
  after?: ReactNode;
}

export function Field({ label, hint, after, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={`stack ${styles.field}`}>
      <label htmlFor={id}>{label}</label>
      <div className={`control ${styles.frame}`}>
        <input {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
        {after}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
    </div>
  );
}
