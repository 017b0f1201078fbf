/**
 * What each of Slack's error codes means for us. `installation`, `permission` and `channel` need the
 * user, `fault` is our own, `transient` posted nothing, `ambiguous` may have posted. The two
 * `duplicate_…` codes belong to `client_msg_id`: Slack knows the id of a message that it does not find.
 * Sources: the error tables of docs.slack.dev/reference/methods, chat.postMessage first.
 */
export type CodeClass =
  | 'installation'
  | 'permission'
  | 'channel'
  | 'fault'
  | 'transient'
  | 'ambiguous';

/** A code that is not listed counts as our own fault: sent again, the message could stand twice. */
export function classOf(code: string): CodeClass {
  return classes.get(code) ?? 'fault';
}

/** Whether Slack's documentation lists it. Other services write `error` into their JSON, too. */
export function isListed(code: string): boolean {
  return classes.has(code);
}

export function codesOf(name: CodeClass): string[] {
  return codes[name].split(/\s+/);
}

const codes: Record<CodeClass, string> = {
  installation: `account_inactive token_revoked token_expired invalid_auth not_authed
    two_factor_setup_required`,
  permission: `missing_scope no_permission not_allowed_token_type access_denied
    team_access_not_granted accesslimited app_access_restricted enterprise_is_restricted
    ekm_access_denied`,
  channel: `channel_not_found not_in_channel is_archived restricted_action
    restricted_action_read_only_channel restricted_action_thread_only_channel
    restricted_action_non_threadable_channel restricted_action_thread_locked
    channel_is_limited_access messages_tab_disabled`,
  fault: `no_text invalid_blocks invalid_blocks_format msg_blocks_too_long msg_too_long
    too_many_attachments attachment_payload_limit_exceeded invalid_attachments metadata_too_large
    invalid_metadata_format invalid_metadata_schema metadata_must_be_sent_from_app
    markdown_text_conflict invalid_arguments invalid_arg_name invalid_array_arg invalid_form_data
    invalid_charset invalid_post_type missing_post_type invalid_json json_not_object
    unknown_method deprecated_endpoint method_deprecated`,
  transient: `ratelimited rate_limited service_unavailable request_timeout org_login_required
    team_added_to_org message_limit_exceeded`,
  ambiguous: 'internal_error fatal_error duplicate_message_not_found duplicate_channel_not_found',
};

const classes = new Map(
  (Object.keys(codes) as CodeClass[]).flatMap((name) =>
    codesOf(name).map((code) => [code, name] as const),
  ),
);
