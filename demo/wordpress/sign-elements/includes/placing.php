<?php
/**
 * Where signers are: on every post of the chosen kinds, by shortcode, by block, and where an author has written a tag.
 */

defined( 'ABSPATH' ) || exit;

/** The id of the part of the page that is read. */
function sign_elements_part( int $post ): string {
	return "sign-post-$post";
}

/** True for the post that a page shows. Block themes before WordPress 6.4 show it outside of the loop. */
function sign_elements_is_the_post(): bool {
	return is_singular() && ! is_feed() && get_the_ID() === get_queried_object_id();
}

/** Each signer in a text gets the proxy and the ticket of the settings, whatever its author wrote. */
function sign_elements_settle( string $content ): string {
	return preg_replace_callback(
		'/<[a-z][^>]*+>/i',
		function ( array $found ): string {
			if ( ! preg_match( '/^<sign-translate\b|\sdata-sign-translate\b/i', $found[0] ) ) {
				return $found[0];
			}
			$prefix = str_starts_with( strtolower( $found[0] ), '<sign-translate' ) ? '' : 'data-';
			$given  = '';
			foreach ( sign_elements_settled() as $name => $value ) {
				$given .= sprintf( ' %s%s="%s"', $prefix, $name, esc_attr( $value ) );
			}
			$kept = preg_replace( '/\s(?:data-)?(?:proxy|ticket)\s*=\s*(?:"[^"]*"|\'[^\']*\'|[^\s>]*)/i', '', $found[0] );
			return preg_replace( '/\/?>$/', '', $kept ) . $given . '>';
		},
		$content
	);
}

/** Runs after WordPress's own filters and before other plugins add to the content, so that their additions are not read. */
add_filter(
	'the_content',
	function ( string $content ): string {
		$content = sign_elements_settle( $content );
		if ( ! sign_elements_is_the_post() ) {
			return $content;
		}
		if ( preg_match( '/<sign-translate|data-sign-translate/', $content ) ) {
			sign_elements_load();
		}
		return sprintf( '<div id="%s">%s</div>', esc_attr( sign_elements_part( get_the_ID() ) ), $content );
	},
	12
);

/** A signer in a corner, unless the text has one of its own. */
add_action(
	'wp_footer',
	function () {
		$post = get_queried_object();
		if ( ! is_singular( sign_elements_setting( 'types' ) ) || ! sign_elements_setting( 'types' ) || post_password_required( $post ) ) {
			return;
		}
		if ( has_shortcode( $post->post_content, 'sign_elements' ) || has_block( 'sign-elements/signer', $post ) || str_contains( $post->post_content, 'sign-translate' ) ) {
			return;
		}
		echo sign_elements_tag( // phpcs:ignore -- escaped there
			array(
				'for'       => sign_elements_part( $post->ID ),
				'placement' => sign_elements_setting( 'placement' ),
			)
		);
	},
	5
);

/** `[sign_elements placement="bottom-left"]`. Without `for` the signer reads the post that it is in. */
function sign_elements_shortcode( $given ): string {
	$wanted = array_intersect_key( (array) $given, array_flip( sign_elements_attributes() ) );
	return sign_elements_tag( array_merge( array( 'for' => sign_elements_part( (int) get_the_ID() ) ), array_filter( $wanted, 'is_string' ) ) );
}
add_shortcode( 'sign_elements', 'sign_elements_shortcode' );

add_action(
	'init',
	function () {
		wp_register_script(
			'sign-elements-block',
			plugins_url( '../block.js', __FILE__ ),
			array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components', 'wp-i18n' ),
			'0.1.0',
			true
		);
		register_block_type(
			'sign-elements/signer',
			array(
				'api_version'     => 2,
				'title'           => __( 'Signer', 'sign-elements' ),
				'category'        => 'widgets',
				'attributes'      => array(
					'placement' => array( 'type' => 'string', 'enum' => sign_elements_placements(), 'default' => 'inline' ),
					'language'  => array( 'type' => 'string' ),
				),
				'editor_script'   => 'sign-elements-block',
				'render_callback' => 'sign_elements_shortcode',
			)
		);
	}
);
