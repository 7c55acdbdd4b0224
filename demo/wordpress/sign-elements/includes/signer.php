<?php
/**
 * The signer as HTML, and the script for pages that have one.
 *
 * - `proxy` and `ticket` come from the settings, whoever wrote the text.
 */

defined( 'ABSPATH' ) || exit;

/** The attributes that a text may set. */
function sign_elements_attributes(): array {
	return array( 'for', 'language', 'signer', 'placement', 'launcher', 'controls', 'idle-after' );
}

/** The attributes that only the settings set. */
function sign_elements_settled(): array {
	return array_filter(
		array(
			'proxy'  => (string) sign_elements_proxy( sign_elements_setting( 'proxy' ) ),
			'ticket' => sign_elements_setting( 'tickets' ) ? rest_url( 'sign-elements/v1/ticket' ) : '',
		),
		'strlen'
	);
}

/** @param array $wanted attributes by name; those that sign_elements_attributes() does not list are left out */
function sign_elements_tag( array $wanted ): string {
	$placement  = sign_elements_one_of( $wanted['placement'] ?? 'inline', sign_elements_placements() );
	$attributes = array(
		'for'       => preg_replace( '/[^\w#.-]/', '', (string) ( $wanted['for'] ?? '' ) ),
		'language'  => sign_elements_one_of( $wanted['language'] ?? sign_elements_setting( 'language' ), array( 'BSL', 'ASL' ) ),
		'signer'    => sanitize_text_field( $wanted['signer'] ?? sign_elements_setting( 'signer' ) ),
		'placement' => 'inline' === $placement ? '' : $placement,
	) + sign_elements_settled();
	if ( isset( $wanted['idle-after'] ) ) {
		$attributes['idle-after'] = (string) $wanted['idle-after'];
	}
	$html = '<sign-translate controls';
	foreach ( array_filter( $attributes, 'strlen' ) as $name => $value ) {
		$html .= sprintf( ' %s="%s"', $name, esc_attr( $value ) );
	}
	if ( 'inline' !== $placement ) {
		$html .= ' launcher';
	}
	sign_elements_load();
	return $html . '></sign-translate>';
}

/** The plain script: it loads the rest when a visitor opens the signer. */
function sign_elements_load(): void {
	$proxy = sign_elements_proxy( sign_elements_setting( 'proxy' ) );
	wp_enqueue_script( 'sign-elements', $proxy . '/elements.classic.js', array(), null, true ); // phpcs:ignore -- the proxy revalidates it
}

/** Lets authors, whose texts WordPress sanitises, write the tag. None of these attributes names another proxy. */
add_filter(
	'wp_kses_allowed_html',
	function ( $allowed, $context ) {
		if ( 'post' === $context ) {
			$allowed['sign-translate'] = array_fill_keys( array_merge( sign_elements_attributes(), array( 'id', 'class', 'data-*' ) ), true );
		}
		return $allowed;
	},
	10,
	2
);
