import type { Answer, TeamContext } from './table.ts';

export function teamInfo({ team }: TeamContext): Answer {
  return {
    ok: true,
    team: {
      id: team.id,
      name: team.name,
      url: `https://${team.domain}.slack.com/`,
      domain: team.domain,
      email_domain: '',
      icon: { image_default: true },
    },
  };
}
