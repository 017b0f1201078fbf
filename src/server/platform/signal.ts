/** What a loop waits for. Rung while the loop is not waiting, it ends the next wait at once. */
export class Signal {
  #isRung = false;
  #wake = () => {};

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  async wait(atMostMs: number): Promise<void> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, atMostMs);
      await promise;
      clearTimeout(timer);
    }
    this.#isRung = false;
  }
}
