import type { Channel, Team } from '../state.ts';

/** The conversation object, with the fields a public or private channel carries. */
export function presentChannel(team: Team, channel: Channel) {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: !channel.isPrivate,
    is_group: channel.isPrivate,
    is_im: false,
    is_mpim: false,
    is_private: channel.isPrivate,
    created: channel.created,
    creator: 'U0FONDATEUR',
    is_archived: channel.isArchived,
    is_general: channel.isGeneral,
    unlinked: 0,
    name_normalized: channel.name,
    is_shared: channel.isExternal,
    is_ext_shared: channel.isExternal,
    is_org_shared: false,
    pending_shared: [],
    is_pending_ext_shared: false,
    is_member: channel.isMember,
    updated: channel.created * 1000,
    context_team_id: team.id,
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
    num_members: channel.members,
  };
}
