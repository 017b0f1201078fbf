/** What a loop waits for. Rung while the loop is not waiting, it ends the next wait at once. */
export interface Signal {
  ring(): void;
  wait(atMostMs: number): Promise<void>;
}

export function createSignal(): Signal {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(atMostMs) {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, atMostMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      rung = false;
      wake = null;
    },
  };
}
