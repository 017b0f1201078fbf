import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface RemoteChat {
  url: string;
  processId: number;
  /** Arrivals since the last `forget`: epoch ms of each message. */
  arrivals(): Promise<{ id: string; at: number }[]>;
  forget(): Promise<void>;
  close(): void;
}

/** The chat's stand-in in a process of its own: any team and channel exist, each answer takes 20 ms. */
export async function startRemoteChat(latencyMs = 20): Promise<RemoteChat> {
  const main = fileURLToPath(new URL('../../standins/slack/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--latency', String(latencyMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { url } = JSON.parse(await firstLine(child.stdout)) as { url: string };
  return {
    url,
    processId: child.pid ?? 0,
    arrivals: () => arrivalsAt(url),
    forget: () => control(url, 'clearMessages'),
    close: () => void child.kill('SIGTERM'),
  };
}

export async function arrivalsAt(url: string): Promise<{ id: string; at: number }[]> {
  const rows = await control<[string, string, at: number, id: string, string][]>(url, 'log');
  return rows.map(([, , at, id]) => ({ id, at }));
}

async function control<Result>(url: string, name: string): Promise<Result> {
  const answer = await fetch(`${url}/_control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '[]',
  });
  const { result } = (await answer.json()) as { result: Result };
  return result;
}

async function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) return line;
  throw new Error('the chat stand-in did not start');
}
