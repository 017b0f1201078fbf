/** How a total came to be: one file, fetched when its days are read. */
export { Changes } from './Changes.tsx';
export { Curve } from './Curve.tsx';
