import { engines } from '../../tests/support/engines.ts';
import type { Row } from '../table.ts';
import { measureSilence } from './silence.ts';
import { measureStatements } from './statements.ts';

/** On both databases, one after the other. */
export async function measureBankFiles(): Promise<Row[]> {
  return await onEach(measureStatements);
}

export async function measureBankSilence(): Promise<Row[]> {
  return await onEach(measureSilence);
}

async function onEach(measure: (engine: (typeof engines)[number]) => Promise<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of engines) rows.push(await measure(engine));
  return rows;
}
