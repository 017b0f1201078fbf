const number = new Intl.NumberFormat('fr', { maximumFractionDigits: 1 });

/** "0,4 s", "2 min 05", "1 h 05". */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${number.format(seconds)}\u202fs`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}\u202fmin\u202f${padded(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}\u202fh\u202f${padded(minutes % 60)}`;
}

function padded(part: number): string {
  return String(Math.floor(part)).padStart(2, '0');
}
