"""What holds for one engine holds for two of them behind one: the same tests, on replicas."""

# ruff: noqa: F401
from tests.engine.test_local_engine import (
    test_a_resumed_request_goes_on_with_the_same_tokens_and_text,
    test_a_resumed_request_that_was_complete_only_says_so,
    test_a_stop_string_cuts_the_text_and_ends,
    test_an_end_token_as_the_last_allowed_token_is_length,
    test_an_unknown_model_is_refused,
    test_bad_words_never_come,
    test_cancel_ends_a_request_with_what_it_has,
    test_generation_ends_with_length_at_max_new_tokens,
    test_ignore_eos_goes_on_after_the_end_token,
    test_logprobs_come_with_every_token,
    test_min_new_tokens_keeps_the_end_away,
    test_stop_token_ids_end_with_stop_sequence,
    test_the_end_token_ends_and_shows_no_text,
    test_the_longest_allowed_prompt_is_served,
    test_the_same_seed_gives_the_same_text_and_another_seed_another,
    test_the_same_text_alone_and_in_a_crowd,
    test_the_watermark_changes_the_text,
    test_what_the_model_cannot_serve_is_refused_by_name,
)
from tests.engine.test_text_tools import (
    test_a_text_of_one_token_has_nothing_to_score,
    test_an_id_outside_the_vocabulary_is_refused,
    test_half_a_character_is_shown_as_such,
    test_marked_text_is_told_from_plain_text,
    test_special_tokens_are_shown_as_asked,
    test_the_facts_of_a_loaded_model_say_what_computes_it,
    test_tokens_are_those_of_a_prompt,
    test_tokens_cover_the_text_and_come_back_as_it,
    test_too_many_tokens_are_not_scored,
)
