/** What is wrong with the configuration, all of it, in French: the program does not start. */
export class ConfigurationFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      ['La configuration ne permet pas de démarrer :', ...faults.map((f) => `  - ${f}`)].join('\n'),
    );
    this.name = 'ConfigurationFaults';
    this.faults = faults;
  }
}
