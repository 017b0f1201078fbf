import { Combobox } from '@base-ui/react/combobox';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useImperativeHandle, useRef } from 'react';
import type { Channel } from '../../../shared/contract/messengers.ts';
import { PathIcon } from '../../design/Icon.tsx';
import styles from './ChannelPicker.module.css';

export interface ListHandle {
  /** By the shortest way, or as the third of those in sight. */
  reveal(index: number, way: 'shortest' | 'third'): void;
}

const rowPx = 44;

/** Draws only the rows in sight: a workspace may have many thousand channels. */
export function ChannelList({ ref }: { ref: Ref<ListHandle> }) {
  const channels = Combobox.useFilteredItems<Channel>();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: channels.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  useImperativeHandle(ref, () => ({
    reveal: (index, way) =>
      queueMicrotask(() => {
        if (way === 'shortest') rows.scrollToIndex(index, { align: 'auto' });
        else rows.scrollToIndex(Math.max(0, index - 2), { align: 'start' });
      }),
  }));
  return (
    <Combobox.List ref={scroller} className={styles.list} aria-label="Channels">
      <div role="presentation" className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const channel = channels[index];
          return (
            channel && (
              <Combobox.Item
                key={channel.id}
                index={index}
                value={channel}
                className={styles.row}
                aria-setsize={channels.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ChannelName channel={channel} />
              </Combobox.Item>
            )
          );
        })}
      </div>
    </Combobox.List>
  );
}

function ChannelName({ channel }: { channel: Channel }) {
  return (
    <>
      <span className={styles.name}>#{channel.name}</span>
      {channel.isPrivate && <ChannelBadge path={lock} text="privé" />}
      {channel.isExternal && <ChannelBadge path={people} text="externe" />}
    </>
  );
}

const lock = 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z';
const people =
  'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 8c0-3 3-5 6-5s6 2 6 5M16 5a3 3 0 0 1 0 6M18 14c2 1 3 3 3 5';

function ChannelBadge({ path, text }: { path: string; text: string }) {
  return (
    <span className={`note ${styles.badge}`}>
      <PathIcon path={path} /> {text}
    </span>
  );
}
