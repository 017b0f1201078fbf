/** What the tabs of one browser tell each other. */
export type TabMessage = 'signed-out' | 'banks-changed' | 'messengers-changed';

const channel = 'BroadcastChannel' in window ? new BroadcastChannel('tirelire') : null;

export function tellOtherTabs(message: TabMessage): void {
  channel?.postMessage(message);
}

/** Returns the function that stops listening. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const receive = (event: MessageEvent<TabMessage>) => listener(event.data);
  channel?.addEventListener('message', receive);
  return () => channel?.removeEventListener('message', receive);
}
