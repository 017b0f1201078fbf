const prefix = 'tirelire-slack-';

/**
 * What stands in `slackBotToken` and in `?token=`: it names an installation and opens nothing by
 * itself. The web app knows it by its prefix.
 */
export function handleOf(workspaceId: string): string {
  return prefix + workspaceId;
}

/** Null for anything but a handle of ours. */
export function workspaceIdOf(handle: string): string | null {
  return /^tirelire-slack-([A-Za-z0-9_-]{43})$/.exec(handle)?.[1] ?? null;
}
