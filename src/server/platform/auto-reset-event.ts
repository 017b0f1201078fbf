/** What a loop waits for. Set while the loop is not waiting, it ends the next wait at once. */
export class AutoResetEvent {
  #isSet = false;
  #wake = () => {};

  set(): void {
    this.#isSet = true;
    this.#wake();
  }

  async wait(atMostMs: number): Promise<void> {
    if (!this.#isSet) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, atMostMs);
      await promise;
      clearTimeout(timer);
    }
    this.#isSet = false;
  }
}
