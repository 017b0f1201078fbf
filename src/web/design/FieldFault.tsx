/** What is wrong with a field, named by its `aria-describedby`. */
export function FieldFault({ id, text }: { id: string; text: string | null }) {
  if (!text) return null;
  return (
    <p id={id} className="fault">
      {text}
    </p>
  );
}
