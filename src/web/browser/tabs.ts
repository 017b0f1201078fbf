/** What the tabs of one browser tell each other: a sign-out, the end of the session, what changed. */
export type TabMessage =
  | 'signed-out'
  | { ended: 'expired' | 'gone' }
  /** The key of the queries. */
  | { changed: readonly string[] };

const channel = 'BroadcastChannel' in window ? new BroadcastChannel('tirelire') : null;

export function tellOtherTabs(message: TabMessage): void {
  channel?.postMessage(message);
}

/** For as long as the page lives. */
export function onTabMessage(listener: (message: TabMessage) => void): void {
  channel?.addEventListener('message', (event: MessageEvent<TabMessage>) => listener(event.data));
}
